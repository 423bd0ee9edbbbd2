/** The recorded data of a run at one time: loading them, and reading them from the cache. */

import type { CertificateFrame, ContactFrame, DeformableFrame, Frame, JointFrame, SensorFrame, TrajectoryEvent } from '../../core/trajectory/frame'
import { interpolateBodies, interpolateParticles } from '../../core/trajectory/interpolate'
import type { Scene } from '../../core/scene'
import { massesOf } from './body-masses'
import { eventsWithin } from './events'
import type { RunMessages } from './trajectory'

/** Facts about a run that its messages do not contain. */
export interface RunLayout {
  readonly frames: number
  readonly deformables: boolean
  readonly sensors: boolean
  readonly scene: Scene | null
  readonly events: readonly TrajectoryEvent[]
}

export interface Moment {
  readonly frame: Frame
  readonly contacts: ContactFrame
  /** Positions of the deformables' particles, m, 3 each; null if the run has none. */
  readonly particles: Float64Array | null
  readonly deformables: DeformableFrame | null
  readonly joints: JointFrame
  readonly sensors: SensorFrame | null
  readonly certificate: CertificateFrame
}

/** The solution of a recorded frame as panels show it. */
export type Solution = Pick<Moment, 'joints' | 'sensors' | 'certificate'>

/** The data of one time that the viewport draws. */
export interface Picture {
  /** s */
  readonly time: number
  readonly frame: Frame | null
  readonly contacts: ContactFrame | null
  /** m, 3 a particle; null where the run has none. */
  readonly particles: Float64Array | null
}

/**
 * The data at a time, in or after frame `index`; null if any of them are not cached: the messages of the newest frames of a running simulation do not
 * all arrive at once. Poses and particles are interpolated; all other data are those of the frame, as they were solved.
 */
export function cachedMoment(source: RunMessages, run: RunLayout, index: number, time: number): Moment | null {
  const found = source.frames.get(index)
  const isBetween = found !== undefined && isPast(time, found.time)
  const next = isBetween && index + 1 < run.frames ? source.frames.get(index + 1) : null
  const contacts = source.contacts.get(index)
  const bent = run.deformables ? [source.deformables.get(index), next ? source.deformables.get(index + 1) : next] as const : null
  const joints = source.joints.get(index)
  const certificate = source.certificates.get(index)
  const sensors = run.sensors ? source.sensors.get(index) : null
  if (!found || next === undefined || !contacts || !joints || !certificate || sensors === undefined) return null
  if (bent && (!bent[0] || bent[1] === undefined)) return null
  return {
    frame: next ? between(found, next, time, run) : found,
    contacts,
    particles: !bent ? null : bent[1] ? interpolateParticles(bent[0]!, bent[1], time) : bent[0]!.position,
    deformables: bent ? bent[0]! : null,
    joints,
    sensors,
    certificate,
  }
}

/** Whether a time is after a frame's, beyond the rounding of a time that was snapped to it. */
const isPast = (time: number, frame: number): boolean => time - frame > 1e-12 * Math.max(1, Math.abs(frame))

function between(before: Frame, after: Frame, time: number, { scene, events }: RunLayout): Frame {
  if (!scene) return before
  const bodies = interpolateBodies(before, after, eventsWithin(events, before.time, after.time), massesOf(scene).centers, time)
  return { ...before, time, bodies }
}

/** Loads everything that `cachedMoment` reads. @param isBetween whether the time is after the frame's, so that it is interpolated */
export async function loadMoment(source: RunMessages, run: RunLayout, index: number, isBetween = true): Promise<void> {
  const last = isBetween ? Math.min(index + 1, run.frames - 1) : index
  await Promise.all([
    source.frames.load(index), source.frames.load(last), source.contacts.load(index), source.joints.load(index), source.certificates.load(index),
    ...run.sensors ? [source.sensors.load(index)] : [],
    ...run.deformables ? [source.deformables.load(index), source.deformables.load(last)] : [],
  ])
}
