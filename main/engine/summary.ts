/** A whole run in one object: what `cairn simulate --json` prints, read from the file. */
import type { Fallbacks, TrajectoryEnd } from '../../core/trajectory/frame'
import { EVENT_KINDS } from '../../core/vocabulary'
import type { Problem } from '../protocol/problem'
import type { TrajectoryReader } from './reader'

/** Kinds that are always counted, even if there were none. */
const alwaysCounted = ['impact', 'newContact', 'release', 'stick', 'slip', 'feature', 'limit', 'breakpoint', 'restart', 'degraded'] as const

export interface RunSummary {
  readonly status: TrajectoryEnd['status'] | 'incomplete'
  readonly reason: string | null
  readonly message: string | null
  readonly ids: readonly string[]
  readonly scene: string
  readonly sceneHash: string
  readonly engine: string
  readonly method: string
  readonly duration: number
  readonly outputRate: number
  readonly simulatedTime: number
  readonly wallTime: number | null
  readonly frames: number
  readonly steps: number
  readonly finalHash: string
  readonly events: Readonly<Record<string, number>>
  readonly solver: { readonly name: string; readonly calls: number; readonly basisHits: number; readonly pivots: number; readonly maxContacts: number }
  readonly fallbacks: Fallbacks | null
  readonly certificate: object | null
  readonly warnings: readonly string[]
  /** Whether the file was closed properly and all verified checksums are right. */
  readonly complete: boolean
  /** Descriptions of the damage. */
  readonly damage: readonly string[]
}

/**
 * @param end how the run ended, if the file could not be written to its end
 * @param damage errors of the file, if it was verified
 */
export function summarize(reader: TrajectoryReader, end: TrajectoryEnd | null = reader.end, damage: readonly Problem[] = []): RunSummary {
  const { header, frames } = reader
  const last = frames > 0 ? reader.frame(frames - 1) : null
  return {
    status: end?.status ?? 'incomplete', reason: end?.reason || null, message: end?.message || null, ids: end?.ids ?? [],
    scene: header.sceneName, sceneHash: header.sceneHash, engine: header.engine, method: header.method, duration: header.duration,
    outputRate: header.outputRate, simulatedTime: end?.simulatedTime ?? last?.time ?? 0, wallTime: end?.wallTime ?? null, frames,
    steps: end?.steps ?? 0, finalHash: last?.hash ?? '', events: countEvents(reader),
    solver: end?.solver ?? { name: header.solver, calls: 0, basisHits: 0, pivots: 0, maxContacts: 0 },
    fallbacks: end?.fallbacks ?? null, certificate: worstOf(reader), warnings: end?.warnings ?? [],
    complete: reader.complete && damage.length === 0, damage: damage.map(({ message }) => message),
  }
}

function countEvents(reader: TrajectoryReader): Record<string, number> {
  const counts = new Map<string, number>(alwaysCounted.map(kind => [kind, 0]))
  for (let number = 0; number < reader.count('events'); number++) {
    const { kind } = reader.event(number)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return Object.fromEntries(['impact', ...EVENT_KINDS].filter(kind => counts.has(kind)).map(kind => [kind, counts.get(kind)!]))
}

/** The worst value of every quantity over all frames, and the energy balance of the whole run. */
function worstOf(reader: TrajectoryReader): object | null {
  const count = Math.min(reader.frames, reader.count('certificate'))
  if (count === 0) return null
  let [maxPenetration, maxComplementarity, maxJointError, maxConeViolation] = [0, 0, 0, 0]
  for (let number = 0; number < count; number++) {
    const certificate = reader.certificate(number)
    maxPenetration = Math.max(maxPenetration, certificate.maxPenetration)
    maxComplementarity = Math.max(maxComplementarity, certificate.maxComplementarity)
    maxJointError = Math.max(maxJointError, certificate.maxJointError)
    maxConeViolation = Math.max(maxConeViolation, certificate.maxConeViolation)
  }
  const { kinetic, potential, initial, friction, impacts, drag, scripts, joints, kinematic, spawned, residual } = reader.certificate(count - 1).energy
  return {
    maxPenetration, maxComplementarity, maxJointError, maxConeViolation,
    energy: { initial, final: kinetic + potential, kinetic, potential, friction, impacts, drag, scripts, joints, kinematic, spawned, residual },
  }
}
