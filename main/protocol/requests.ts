/**
 * Schemas of all requests from a page. Method names are looked up only here, so inherited properties of an engine object cannot be called. Arguments are
 * checked before the engine receives them.
 */
import * as z from 'zod'
import type { Engine, WebHost } from './host'
import { DRIVEN, HANDS } from './live'
import { DECOMPOSITION_METHODS } from './meshes'
import { TABLE_FORMATS, TABLES } from './runs'
import { sweepPlanSchema } from './sweep-schema'

/** UTF-16 units of one document: the file limit of the scene format. */
const documentLength = 64 * 1024 * 1024

const handle = z.string().min(1).max(256)
const draft = z.string().min(1).max(512)
const runId = z.string().min(1).max(256)
const text = z.string().max(documentLength)
const label = z.string().max(1000)
const ticket = z.string().min(1).max(256)
const id = z.string().max(1000)
const index = z.number().int().min(0).max(2 ** 32)

const component = z.enum(['x', 'y', 'z', 'magnitude'])
const contactKey = z.strictObject({
  bodyA: id, bodyB: id, shapeA: index, shapeB: index, features: z.tuple([id, id]),
})
const seriesRequest = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('body'), body: id, quantity: z.enum(['position', 'linearVelocity', 'angularVelocity']), component }),
  z.strictObject({
    what: z.literal('contact'), contact: contactKey, quantity: z.enum(['normalForce', 'frictionForce', 'gap', 'coneUsage']),
  }),
  z.strictObject({ what: z.literal('pair'), bodyA: id, bodyB: id, quantity: z.enum(['normalForce', 'frictionForce', 'contacts']) }),
  z.strictObject({
    what: z.literal('joint'), joint: id,
    quantity: z.enum(['position', 'velocity', 'force', 'torque', 'error', 'motorForce', 'limitForce']), coordinate: z.number().int().min(0).max(1).optional(),
  }),
  z.strictObject({ what: z.literal('momentum'), quantity: z.enum(['linear', 'angular']), component }),
  z.strictObject({
    what: z.literal('energy'),
    quantity: z.enum([
      'kinetic', 'potential', 'total', 'friction', 'impacts', 'drag', 'scripts', 'joints', 'kinematic', 'spawned', 'elastic', 'damping', 'numerical',
        'residual',
    ]),
  }),
  z.strictObject({
    what: z.literal('certificate'),
    quantity: z.enum(['maxPenetration', 'maxComplementarity', 'maxJointError', 'maxConeViolation', 'contacts', 'pivots']),
  }),
  z.strictObject({ what: z.literal('script'), name: label }),
  z.strictObject({ what: z.literal('sensor'), sensor: id, quantity: label, component }),
  z.strictObject({
    what: z.literal('deformable'), deformable: id, hold: index.optional(),
    quantity: z.enum(['kinetic', 'stretching', 'bending', 'worstStrain', 'meanStrain', 'largestTension', 'reaction']),
  }),
  z.strictObject({ what: z.literal('formula'), text: label }),
])

/** Checks arrays of points or faces. A tuple schema would take seconds for a mesh of a million. */
const arrays = (least: number, most: number) => z.custom<[number, number, number][]>(value => Array.isArray(value) && value.every(
  (row: unknown) => Array.isArray(row) && row.length >= least && row.length <= most && row.every(x => Number.isFinite(x))))

const namedFile = z.strictObject({ name: label, bytes: z.instanceof(Uint8Array) })

const meshRequest = z.strictObject({
  ticket,
  source: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('bytes'), name: label, bytes: z.instanceof(Uint8Array), beside: z.array(namedFile).max(4096).optional() }),
    z.strictObject({ kind: z.literal('mesh'), vertices: arrays(3, 3), faces: arrays(3, 10_000) }),
    z.strictObject({ kind: z.literal('file'), document: handle, path: z.string().min(1).max(1024) }),
  ]),
  scale: z.number().gt(0),
  settings: z.strictObject({
    method: z.enum(DECOMPOSITION_METHODS), maxPieces: z.number().int().min(1).max(256),
    resolution: z.number().int().min(16).max(400), concavity: z.number().min(1e-4).max(1),
  }),
})

const finite = z.number().min(-1e9).max(1e9)
const point = z.tuple([finite, finite, finite])
const liveInput = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('guide'), hand: z.number().int().min(0).max(HANDS - 1), body: id.nullable(), particle: z.strictObject({ deformable: id, index }).optional(),
    point, target: point, on: id.optional(), length: z.number().min(0).max(1e9).optional(),
    stiffness: z.number().min(0).max(1e12), damping: z.number().min(0).max(1e12),
  }),
  z.strictObject({ kind: z.literal('gravity'), gravity: point }),
  z.strictObject({ kind: z.literal('parameter'), parameter: id, value: finite }),
  z.strictObject({ kind: z.literal('drive'), joint: id, coordinate: z.number().int().min(0).max(1), driven: z.enum(DRIVEN), value: finite }),
  z.strictObject({ kind: z.literal('speed'), ratio: z.number().min(0).max(100) }),
  z.strictObject({ kind: z.literal('step') }),
  z.strictObject({ kind: z.literal('handOver') }),
])

const formatId = z.string().max(64)
const optionValues = z.record(z.string().max(64), z.union([z.boolean(), z.string().max(1000), z.number()]))
const exchangeFile = z.strictObject({ name: z.string().min(1).max(1024), data: z.instanceof(Uint8Array) })

const sweepId = z.string().min(1).max(256)
const workers = z.number().int().min(1).max(1024).nullable()

const messageRange = z.strictObject({
  channel: z.enum(['frames', 'contacts', 'joints', 'forces', 'deformables', 'events', 'certificate', 'script', 'sensors']), from: index, to: index,
})

/** Arguments of each method that a page may call. Other methods cannot be called. */
const requestSchemas: { readonly [M in keyof (Engine & WebHost)]: z.ZodType<Parameters<(Engine & WebHost)[M]>> } = {
  version: z.tuple([]),
  examples: z.tuple([]),
  openHandle: z.tuple([handle]),
  prefabs: z.tuple([handle, z.array(label).max(1000)]),
  prefabFile: z.tuple([handle, handle]),
  prefabHandle: z.tuple([handle, label]),
  openBytes: z.tuple([label, z.instanceof(Uint8Array)]),
  recent: z.tuple([]),
  save: z.tuple([handle, text, z.strictObject({ overwrite: z.boolean(), base: z.string().max(256).nullish() })]),
  autosave: z.tuple([draft, label, text]),
  discardAutosave: z.tuple([draft]),
  recoverable: z.tuple([]),
  check: z.tuple([text, ticket]),
  cancelCheck: z.tuple([ticket]),
  simulate: z.tuple([text, z.strictObject({
    reuse: z.boolean(), name: label.optional(), ticket: ticket.optional(), from: z.strictObject({ run: runId, time: z.number().min(0).max(1e9) }).optional(),
  })]),
  live: z.tuple([text, ticket, runId.optional()]),
  liveInput: z.tuple([runId, liveInput]),
  keptScene: z.tuple([runId]),
  cancel: z.tuple([runId]),
  runs: z.tuple([]),
  run: z.tuple([runId]),
  renameRun: z.tuple([runId, label]),
  deleteRun: z.tuple([runId]),
  hash: z.tuple([text]),
  read: z.tuple([runId, z.array(messageRange).max(16)]),
  series: z.tuple([runId, z.array(seriesRequest).max(256)]),
  intervals: z.tuple([runId, index]),
  compareRuns: z.tuple([runId, runId]),
  sceneOf: z.tuple([runId]),
  table: z.tuple([runId, z.enum(TABLES), z.enum(TABLE_FORMATS)]),
  checkSweep: z.tuple([sweepPlanSchema]),
  startSweep: z.tuple([sweepPlanSchema, z.strictObject({ name: label, workers })]),
  cancelSweep: z.tuple([sweepId]),
  resumeSweep: z.tuple([sweepId, workers]),
  deleteSweep: z.tuple([sweepId]),
  sweeps: z.tuple([]),
  sweepPlan: z.tuple([sweepId]),
  sweepResults: z.tuple([sweepId, index, index]),
  openSweepRun: z.tuple([sweepId, index]),
  sweepTable: z.tuple([sweepId, z.enum(['csv', 'parquet'])]),
  decompose: z.tuple([meshRequest]),
  cancelDecomposition: z.tuple([ticket]),
  settle: z.tuple([text, z.array(id).min(1).max(10_000), ticket, z.boolean().optional()]),
  cancelSettling: z.tuple([ticket]),
  stopRecordingAhead: z.tuple([]),
  previewForces: z.tuple([text, ticket]),
  previewScripts: z.tuple([text, ticket]),
  formats: z.tuple([]),
  exportScene: z.tuple([text, formatId, z.string().max(1000), optionValues]),
  exportRun: z.tuple([runId, formatId, z.string().max(1000), z.number().nullable()]),
  importScene: z.tuple([z.strictObject({ files: z.array(exchangeFile).min(1).max(4096), format: formatId.nullable(), options: optionValues })]),
  listFolder: z.tuple([handle.nullable()]),
  fileIn: z.tuple([handle, z.string().min(1).max(255)]),
  initialDocument: z.tuple([]),
}

export type RequestName = keyof typeof requestSchemas

export const requests: ReadonlyMap<string, z.ZodType<unknown[]>> = new Map(Object.entries(requestSchemas))
