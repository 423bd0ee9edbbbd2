/** Exports of recorded runs: films of the bodies, their state at a time in any format, and forces at the frame times. */
import { completeOptions, exported, FormatError, formatById, formats, type FormatFile, type TrajectoryFrame } from '../../core/formats'
import { forcesSidecar } from '../../core/formats/forces/sidecar'
import type { Pose } from '../../core/math/pose'
import { requireScene, resolveScene, type Scene } from '../../core/scene'
import { sceneAt, type RecordedInstant } from '../../core/simulation'
import { BODY_STRIDE } from '../../core/trajectory/frame'
import type { ExportResult } from '../protocol/exchange'
import { HostError } from '../protocol/host'
import { inspect } from './inspect'
import { bytesOf, withTypedErrors } from './exchange'
import { PAGE, runPage } from './page/page'
import { instantOf } from './recorded-instant'
import type { TrajectoryReader } from './reader'

/** The target that is not a format: forces as JSON. */
export const FORCES = 'forces'

/** Maximum number of poses and particle positions in a film. */
const MAX_POSES = 5_000_000

/** The target of the editor that is the run's own file, with its scene in it. */
export const RUN_FILE = 'mcap'
/** Bytes of a run that is sent whole to the editor. */
const MAX_RUN_FILE = 512 * 1024 * 1024

export interface RunExport {
  /** A format's id, or `forces`. */
  readonly target: string
  /** Of the main file's name. */
  readonly stem: string
  /** Hz, at most: every frame of the run, every second one and so on. Null: every frame. */
  readonly rate: number | null
  /** s: the bodies at this time instead of a film. Null: a film if the format has one, otherwise the end of the run. */
  readonly at: number | null
  readonly options: Readonly<Record<string, unknown>>
}

/** Export targets of a run. */
export const runTargets: readonly string[] = [
  ...formats.filter(({ exporter, motion }) => exporter !== null || motion !== null).map(({ id }) => id), FORCES, PAGE,
]

/**
 * All that is needed of the reader is read before this returns its promise.
 * @throws HostError: unknown target or option, a run without frames, too many poses
 */
export async function exportRun(reader: TrajectoryReader, { target, stem, rate, at, options }: RunExport): Promise<ExportResult> {
  if (reader.frames === 0) throw new HostError('NoFrames', 'The file ends before its first frame.')
  const scene = requireScene(reader.scene)
  if (target === FORCES) return forces(reader, scene, stem, rate)
  if (target === PAGE) return withTypedErrors(() => Promise.resolve(runPage(reader, scene, keyFrames(reader, rate), stem, options)))
  const format = formatById(target)
  if (format === null || (format.exporter === null && format.motion === null)) {
    const error = new FormatError('UnknownFormat', '', `There is no format "${target}".`, { value: target, allowed: runTargets.join(', ') })
    return withTypedErrors(() => Promise.reject(error))
  }
  const { motion, exporter } = format
  const { files, losses } = await withTypedErrors(async () => motion !== null && at === null
    ? motion.run(resolveScene(scene), filmed(reader, rate), stem, completeOptions(motion.options, options))
    : exported(exporter!, sceneAt(resolveScene(scene), instantAt(reader, at)), stem, completeOptions(exporter!.options, options)))
  return { files: files.map(({ name, content }: FormatFile) => ({ name, data: bytesOf(content) })), losses }
}

/** @throws HostError if it is too large to be sent */
export function runFile(reader: TrajectoryReader, stem: string): ExportResult {
  if (reader.byteCount > MAX_RUN_FILE) {
    throw new HostError('TooLarge', `The run has ${reader.byteCount} bytes, and at most ${MAX_RUN_FILE} are sent; \`cairn simulate\` writes it of any size.`)
  }
  return { files: [{ name: `${stem}.mcap`, data: reader.wholeFile() }], losses: [] }
}

/** Indices of the frames used as keys: all, or evenly fewer. */
function keyFrames({ frames, header }: TrajectoryReader, rate: number | null): number[] {
  const step = rate === null ? 1 : Math.max(1, Math.round(header.outputRate / rate))
  return Array.from({ length: Math.floor((frames - 1) / step) + 1 }, (_, k) => k * step)
}

function filmed(reader: TrajectoryReader, rate: number | null): TrajectoryFrame[] {
  const numbers = keyFrames(reader, rate)
  const count = reader.header.bodyIds.length
  if (numbers.length * count > MAX_POSES) {
    throw new FormatError('TooMany', 'rate', `${numbers.length} frames of ${count} bodies are too many poses for one film.`, {
      value: numbers.length * count, allowed: `at most ${MAX_POSES}: choose fewer frames a second`,
    })
  }
  const particles = reader.header.deformableParticles.reduce((sum, more) => sum + more, 0)
  if (numbers.length * particles > MAX_POSES) {
    throw new FormatError('TooMany', 'rate', `${numbers.length} frames of ${particles} particles are too many for one film.`, {
      value: numbers.length * particles, allowed: `at most ${MAX_POSES}: choose fewer frames a second`,
    })
  }
  return numbers.map(number => {
    const { time, bodies } = reader.frame(number)
    return {
      time, poses: Array.from({ length: count }, (_, i) => poseAt(bodies, i * BODY_STRIDE)),
      ...reader.header.deformableIds.length > 0 ? { particles: reader.deformables(number).position } : {},
    }
  })
}

/** Null before the body exists. */
function poseAt(state: Float64Array, at: number): Pose | null {
  if (Number.isNaN(state[at]!)) return null
  return { position: [state[at]!, state[at + 1]!, state[at + 2]!], orientation: [state[at + 3]!, state[at + 4]!, state[at + 5]!, state[at + 6]!] }
}

/** Recorded data at a time; null: at the end. The motion of bodies is interpolated, all else is that of the frame before. */
function instantAt(reader: TrajectoryReader, at: number | null): RecordedInstant {
  const { time, frame, bodies } = inspect(reader, at ?? undefined)
  const instant = instantOf(reader, frame)
  const numbers = (value: unknown): number[] => (value as number[] | undefined) ?? []
  const states = (bodies as Record<string, unknown>[]).map(body => [
    body.id as string, Float64Array.from([body.position, body.orientation, body.linearVelocity, body.angularVelocity].flatMap(numbers)),
  ] as const)
  return { ...instant, time, bodies: new Map(states.filter(([, state]) => state.length === BODY_STRIDE)) }
}

function forces(reader: TrajectoryReader, scene: Scene, stem: string, rate: number | null): ExportResult {
  const { sceneName, bodyIds, forceIds } = reader.header
  const frames = keyFrames(reader, rate).map(number => reader.forces(number))
  const text = forcesSidecar({ sceneName, bodyIds, forceIds, gravity: resolveScene(scene).gravity }, frames)
  return { files: [{ name: `${stem}.forces.json`, data: bytesOf(text) }], losses: [] }
}

