import { create, fromBinary, createFileRegistry, toBinary, type DescMessage, type Message } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { reflect } from '@bufbuild/protobuf/reflect'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channels, type ChannelName } from '../../../../core/trajectory/channels'
import * as codec from '../../../../core/trajectory/codec'
import { fileDescriptorSet } from '../../../../core/trajectory/descriptor'
import { BODY_STRIDE, INDEX_SETS, WRENCH_SOURCES, type ContactFrame, type ForceFrame, type JointFrame } from '../../../../core/trajectory/frame'
import { CONSTRAINT_KINDS, CONTACT_MODES, EVENT_KINDS, FEATURE_KINDS } from '../../../../core/vocabulary'
import { bodyRateColumns, contactColumns, jointColumns, wrenchColumns } from '../../../../core/trajectory/messages'

const double = fc.double()
const index = fc.nat(4294967295)
const signed = fc.integer({ min: -1, max: 2147483647 })
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const doubles = (length: number) => fc.array(double, { minLength: length, maxLength: length }).map(values => Float64Array.from(values))
const ints = (length: number, value = fc.integer()) =>
  fc.array(value, { minLength: length, maxLength: length }).map(values => Int32Array.from(values))
const names = fc.array(text, { maxLength: 5 })

const states = fc.nat(4).chain(bodies => doubles(bodies * BODY_STRIDE))
const triple = fc.constantFrom(0, 3).chain(doubles)

const enumColumns: Record<string, readonly string[]> = {
  featureKindA: FEATURE_KINDS, featureKindB: FEATURE_KINDS, mode: CONTACT_MODES, indexSet: INDEX_SETS, constraint: CONSTRAINT_KINDS,
}
const integerColumns = ['bodyA', 'bodyB', 'shapeA', 'shapeB', 'featureA', 'featureB', 'island']

const contacts = fc.nat(6).chain(count => fc.record({
  index: index, time: double, count: fc.constant(count),
  ...Object.fromEntries(Object.entries(contactColumns).map(([name, width]) => [name,
    enumColumns[name] ? ints(count, fc.nat(enumColumns[name].length - 1))
      : integerColumns.includes(name) ? ints(count) : doubles(width * count)])),
})) as unknown as fc.Arbitrary<ContactFrame>
const joints = fc.nat(5).chain(count => fc.record({
  index: index, time: double, ...Object.fromEntries(Object.entries(jointColumns).map(([name, width]) => [name, doubles(width * count)])),
  broken: count === 0 ? fc.constant(new Int32Array(0)) : ints(1, fc.nat(count - 1)),
})) as unknown as fc.Arbitrary<JointFrame>

const columns = (widths: Readonly<Record<string, number>>, count: number) =>
  Object.fromEntries(Object.entries(widths).map(([name, width]) => [name,
    name === 'sourceKind' ? ints(count, fc.nat(WRENCH_SOURCES.length - 1)) : width === 1 ? ints(count) : doubles(width * count)]))
const forces = fc.tuple(fc.nat(4), fc.nat(4)).chain(([bodies, wrenches]) => fc.record({
  index, time: double, ...columns(bodyRateColumns, bodies), ...columns(wrenchColumns, wrenches),
})) as unknown as fc.Arbitrary<ForceFrame>
const header = fc.tuple(names, names, names).chain(([bodyIds, jointIds, deformableIds]) => fc.record({
  engine: text, sceneHash: text, sceneName: text, bodyIds: fc.constant(bodyIds), jointIds: fc.constant(jointIds), jointBodyA: ints(jointIds.length),
  jointBodyB: ints(jointIds.length), forceIds: names, weights: doubles(3 * bodyIds.length), duration: double, outputRate: double, method: text,
  solver: text, staticFriction: text, deformableIds: fc.constant(deformableIds), deformableParticles: ints(deformableIds.length),
  deformableElements: ints(deformableIds.length), deformableHeld: ints(deformableIds.length), sensorIds: fc.constant([] as string[]), sensorTypes: fc.constant([] as string[]),
}))

/** Random messages of each channel with their encoder and decoder. */
const messages = {
  header: [header, codec.encodeHeader, codec.decodeHeader],
  sensors: [fc.record({ index, time: double, values: fc.nat(9).chain(doubles) }), codec.encodeSensors, codec.decodeSensors],
  control: [fc.record({ index, time: double, held: text }), codec.encodeControl, codec.decodeControl],
  frames: [fc.record({ index, time: double, bodies: states, hash: text }), codec.encodeFrame, codec.decodeFrame],
  contacts: [contacts, codec.encodeContacts, codec.decodeContacts],
  joints: [joints, codec.encodeJoints, codec.decodeJoints],
  forces: [forces, codec.encodeForces, codec.decodeForces],
  deformables: [fc.nat(3).chain(count => fc.record({
    index, time: double, position: doubles(3 * count), velocity: doubles(3 * count), strain: doubles(count), tension: doubles(count), reaction: fc.nat(4).chain(doubles),
    energy: fc.nat(4).chain(doubles), steps: index, iterations: index, linearIterations: index, residual: double,
  })), codec.encodeDeformables, codec.decodeDeformables],
  certificate: [fc.record({
    index, time: double, maxPenetration: double, maxComplementarity: double, maxJointError: double, maxConeViolation: double,
    energy: fc.record({
      kinetic: double, potential: double, initial: double, friction: double, impacts: double, drag: double, scripts: double, joints: double,
      kinematic: double, spawned: double, residual: double, elastic: double, damping: double, numerical: double,
    }),
    steps: index, solverCalls: index, basisHits: index, pivots: index, contacts: index, degraded: fc.nat(1),
    solvedIsland: ints(2), solvedSweeps: ints(2), solvedResidual: doubles(2), residualHistory: fc.nat(4).chain(doubles), asleep: fc.nat(4).chain(ints), residualTime: fc.double(),
  }), codec.encodeCertificate, codec.decodeCertificate],
  events: [fc.record({
    index, kind: fc.constantFrom(...EVENT_KINDS), time: double, bodyA: signed, bodyB: signed, shapeA: signed, shapeB: signed,
    featureKindA: fc.integer({ min: -1, max: 5 }), featureA: signed, featureKindB: fc.integer({ min: -1, max: 5 }), featureB: signed,
    joint: signed, point: triple, normal: triple, impulse: triple, approachSpeed: double, reboundSpeed: double, before: states,
    after: states, energyLoss: double, message: text, restTime: double,
    solutions: fc.array(contacts, { maxLength: 3 }), solution: signed,
  }), codec.encodeEvent, codec.decodeEvent],
  checkpoints: [fc.record({ index: fc.nat(), time: fc.double({ noNaN: true }), state: fc.string() }), codec.encodeCheckpointFrame, codec.decodeCheckpointFrame],
  script: [names.chain(list => fc.record({ index, time: double, names: fc.constant(list), values: doubles(list.length), logs: names })),
    codec.encodeScript, codec.decodeScript],
  end: [fc.record({
    status: fc.constantFrom('completed' as const, 'cancelled' as const, 'stopped' as const), reason: text, message: text, ids: names,
    simulatedTime: double, wallTime: double, frames: index, steps: index, finalHash: text,
    solver: fc.record({ name: text, calls: index, basisHits: index, pivots: index, maxContacts: index }),
    fallbacks: fc.record({ count: index, time: double }), warnings: names,
  }), codec.encodeEnd, codec.decodeEnd],
} as unknown as Record<ChannelName, [fc.Arbitrary<object>, (message: object) => Uint8Array, (bytes: Uint8Array) => object]>

const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, fileDescriptorSet()))

function descriptorOf(name: ChannelName): DescMessage {
  const descriptor = registry.getMessage(channels[name].schemaName)
  if (!descriptor) throw new Error(`The descriptor has no ${channels[name].schemaName}`)
  return descriptor
}

/** Our object from one that the library decoded: enumerations by name, columns as typed arrays. */
function plain(descriptor: DescMessage, message: Message): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const view = reflect(descriptor, message)
  for (const field of descriptor.fields) {
    const value = (message as unknown as Record<string, unknown>)[field.localName]
    if (field.fieldKind === 'message') {
      result[field.localName] = view.isSet(field) ? plain(field.message, value as Message) : undefined
    } else if (field.fieldKind === 'enum') {
      result[field.localName] = camel(field.enum.value[value as number]!.name, field.enum.name)
    } else if (field.fieldKind === 'list') {
      const isText = field.listKind === 'scalar' && field.scalar === 9
      const isDouble = field.listKind === 'scalar' && field.scalar === 1
      result[field.localName] = field.listKind === 'message' ? (value as Message[]).map(item => plain(field.message, item))
        : isText ? value : isDouble ? Float64Array.from(value as number[]) : Int32Array.from(value as number[])
    } else {
      result[field.localName] = value
    }
  }
  return result
}

const camel = (name: string, enumeration: string) => {
  const prefix = enumeration.replace(/[A-Z]/g, (capital, at: number) => (at === 0 ? capital : `_${capital}`)).toUpperCase() + '_'
  expect(name.startsWith(prefix)).toBe(true)
  return name.slice(prefix.length).toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

for (const name of Object.keys(channels) as ChannelName[]) {
  const [arbitrary, encode, decode] = messages[name]
  describe(`messages of the channel "${name}"`, () => {
    it('decode to the encoded values', () => {
      fc.assert(fc.property(arbitrary, message => {
        expect(decode(encode(message))).toEqual(message)
      }), { numRuns: 150 })
    })
    it('are read equally by a library with only the embedded descriptor', () => {
      const descriptor = descriptorOf(name)
      fc.assert(fc.property(arbitrary, message => {
        expect(plain(descriptor, fromBinary(descriptor, encode(message)))).toEqual(message)
      }), { numRuns: 100 })
    })
    it('are read equally if the library wrote them', () => {
      const descriptor = descriptorOf(name)
      fc.assert(fc.property(arbitrary, message => {
        const theirs = toBinary(descriptor, fromBinary(descriptor, encode(message)))
        expect(decode(theirs)).toEqual(message)
      }), { numRuns: 100 })
    })
    it('truncated anywhere are refused with a typed error or read up to there', () => {
      fc.assert(fc.property(arbitrary, fc.double({ min: 0, max: 1, noNaN: true }), (message, where) => {
        const bytes = encode(message)
        const cut = bytes.subarray(0, Math.floor(where * (bytes.length - 1)))
        try {
          expect(encode(decode(cut)).subarray(0, cut.length)).toEqual(cut)
        } catch (error) {
          expect(error).toBeInstanceOf(codec.DecodeError)
        }
      }), { numRuns: 100 })
    })
    it('throw only the typed error, for any bytes', () => {
      fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        try {
          decode(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(codec.DecodeError)
        }
      }), { numRuns: 300 })
    })
  })
}

describe('the wire format', () => {
  const frame = { index: 1, time: 0.5, bodies: new Float64Array(2 * BODY_STRIDE).fill(-0.25), hash: 'f'.repeat(16) }

  it('stores columns packed: 8 bytes a number and a few for the rest', () => {
    const bytes = codec.encodeFrame({ ...frame, bodies: new Float64Array(1000 * BODY_STRIDE) })
    expect(bytes.length).toBeLessThan(104_000 + 50)
  })
  it('keeps whole numbers of every size', () => {
    const values = [0]
    for (const power of [64, 8192, 1048576, 134217728, 2147483648]) values.push(-power, -power + 1, power - 1, Math.min(power, 2147483647))
    const featureA = Int32Array.from(values)
    const empty = codec.decodeContacts(new Uint8Array(0))
    const columns = Object.entries(contactColumns).map(([name, width]) => [name, integerColumns.includes(name) || enumColumns[name]
      ? new Int32Array(values.length) : new Float64Array(width * values.length)])
    const contacts = { ...empty, count: values.length, ...Object.fromEntries(columns), featureA } as ContactFrame
    expect(codec.decodeContacts(codec.encodeContacts(contacts))).toEqual(contacts)
  })
  it('skips fields of a later version', () => {
    const later = Uint8Array.from([...codec.encodeFrame(frame), 0xf8, 0x7f, 5, 0xfa, 0x7f, 2, 1, 2, 0xfd, 0x7f, 1, 2, 3, 4])
    expect(codec.decodeFrame(later)).toEqual(frame)
  })
  it('refuses columns that disagree in length', () => {
    const empty = codec.decodeContacts(new Uint8Array(0))
    expect(() => codec.decodeContacts(codec.encodeContacts({ ...empty, count: 1 }))).toThrow(/column "bodyA" has 0 elements, not 1/)
    expect(() => codec.decodeFrame(codec.encodeFrame({ ...frame, bodies: new Float64Array(5) }))).toThrow(/multiple of 13/)
  })
  it('reads contacts of earlier versions, which had no torsional and rolling friction', () => {
    const empty = codec.decodeContacts(new Uint8Array(0))
    const columns = Object.entries(contactColumns).map(([name, width]) => [name, integerColumns.includes(name) || enumColumns[name]
      ? new Int32Array(1) : new Float64Array(width)])
    const none = new Float64Array(0)
    const early = { ...empty, count: 1, ...Object.fromEntries(columns), torsionalFriction: none, rollingFriction: none, tangentialAcceleration: none } as ContactFrame
    const read = codec.decodeContacts(codec.encodeContacts(early))
    expect([...read.torsionalFriction, ...read.rollingFriction, ...read.tangentialAcceleration]).toEqual([0, 0, NaN, NaN, NaN])
  })
  it('refuses a split column, which would take quadratic time to join', () => {
    const bytes = codec.encodeFrame(frame)
    expect(() => codec.decodeFrame(Uint8Array.from([...bytes, ...bytes]))).toThrow(/is split/)
  })
  it('refuses an event kind that it does not have', () => {
    expect(() => codec.encodeEvent({ ...codec.decodeEvent(new Uint8Array(0)), kind: 'explosion' as never })).toThrow(/EventKind has no "explosion"/)
    expect(() => codec.decodeEvent(Uint8Array.from([0x10, 99]))).toThrow(/EventKind has no value 99/)
  })
  it('decodes into copies, so that a reused buffer changes nothing', () => {
    const bytes = codec.encodeFrame(frame)
    const decoded = codec.decodeFrame(bytes)
    bytes.fill(255)
    expect(decoded.bodies[3]).toBe(-0.25)
  })
  it('reads joints of files without second coordinates as NaN', () => {
    const one = new Float64Array([1])
    const three = new Float64Array(3)
    const none = new Float64Array(0)
    const old = codec.encodeJoints({
      index: 0, time: 0, force: three, torque: three, anchor: three, error: one, position: one, velocity: one, motorForce: one, limitForce: one,
      secondPosition: none, secondVelocity: none, broken: new Int32Array(0),
    })
    expect(codec.decodeJoints(old).position).toEqual(one)
    expect(codec.decodeJoints(old).secondPosition).toEqual(new Float64Array([NaN]))
  })
  it('encodes a view into a larger buffer, and reads one at an odd offset', () => {
    const large = new Float64Array(100).map((_, i) => i)
    const view = large.subarray(10, 10 + BODY_STRIDE)
    const bytes = codec.encodeFrame({ ...frame, bodies: view })
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(codec.decodeFrame(shifted.subarray(3)).bodies).toEqual(Float64Array.from(view))
  })
  it('describes every channel in one descriptor, with unused field numbers only', () => {
    for (const name of Object.keys(channels) as ChannelName[]) {
      const numbers = descriptorOf(name).fields.map(field => field.number)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect(create(descriptorOf(name))).toBeDefined()
    }
  })
})
