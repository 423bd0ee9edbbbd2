/** Runs scenes for tests and stores all their output. */

import { simulate } from '../../core/simulation'
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import {
  BODY_STRIDE, type CertificateFrame, type ContactFrame, type DeformableFrame, type ForceFrame, type Frame, type JointFrame, type TrajectoryEnd, type TrajectoryEvent,
  type SensorFrame, type TrajectoryHeader,
} from '../../core/trajectory/frame'

export interface Recorded {
  readonly header: TrajectoryHeader
  readonly end: TrajectoryEnd
  readonly frames: Frame[]
  readonly contacts: ContactFrame[]
  readonly joints: JointFrame[]
  readonly forces: ForceFrame[]
  readonly certificates: CertificateFrame[]
  readonly events: TrajectoryEvent[]
  readonly deformables: DeformableFrame[]
  readonly sensors: SensorFrame[]
}

export const noScripts: ScriptRuntime = {
  load: id => { throw new Error(`this scene's script ${id} needs the sandbox`) },
  dispose: () => undefined,
}

/** @param checkpointWork work between checkpoints; the default where absent */
export function recorded(
  scene: object, scripts: ScriptRuntime = noScripts, cancelled: () => boolean = () => false, checkpointWork?: number,
): Recorded {
  const frames: Frame[] = []
  const contacts: ContactFrame[] = []
  const joints: JointFrame[] = []
  const forces: ForceFrame[] = []
  const certificates: CertificateFrame[] = []
  const events: TrajectoryEvent[] = []
  const deformables: DeformableFrame[] = []
  const sensors: SensorFrame[] = []
  let header: TrajectoryHeader | undefined
  const end = simulate(scene, {
    sink: {
      header: begun => { header = begun }, frame: frame => frames.push(frame), contacts: frame => contacts.push(frame), joints: frame => joints.push(frame),
      forces: frame => forces.push(frame), certificate: frame => certificates.push(frame), script: () => undefined, deformables: frame => deformables.push(frame),
      sensors: frame => sensors.push(frame), event: event => events.push(event),
    },
    cancelled, scripts, now: () => 0, ...(checkpointWork === undefined ? {} : { checkpointWork }),
  })
  return { header: header!, end, frames, contacts, joints, forces, certificates, events, deformables, sensors }
}

export interface BodyState {
  readonly position: readonly number[]
  readonly orientation: readonly number[]
  readonly linearVelocity: readonly number[]
  readonly angularVelocity: readonly number[]
}

export function bodyAt(frame: Frame, body: number): BodyState {
  const at = body * BODY_STRIDE
  const { bodies } = frame
  return {
    position: [...bodies.subarray(at, at + 3)], orientation: [...bodies.subarray(at + 3, at + 7)],
    linearVelocity: [...bodies.subarray(at + 7, at + 10)], angularVelocity: [...bodies.subarray(at + 10, at + 13)],
  }
}

/** A body of a run by its id, in the last frame unless another is given. */
export function bodyIn(run: Recorded, id: string, frame: Frame = run.frames.at(-1)!): BodyState {
  return bodyAt(frame, indexOf(run, id))
}

/** Index of a body in the run's columns. */
export function indexOf(run: Recorded, id: string): number {
  const index = run.header.bodyIds.indexOf(id)
  if (index < 0) throw new Error(`no body ${id}`)
  return index
}

/** Sum of the contact forces on a body, N: normal, friction and both. */
export function contactForceOn(contacts: ContactFrame, body: number): { normal: number[]; friction: number[]; total: number[] } {
  const normal = [0, 0, 0]
  const friction = [0, 0, 0]
  for (let i = 0; i < contacts.count; i++) {
    const sign = contacts.bodyA[i] === body ? 1 : contacts.bodyB[i] === body ? -1 : 0
    for (let k = 0; k < 3; k++) {
      normal[k]! += sign * contacts.normalForce[i]! * contacts.normal[3 * i + k]!
      friction[k]! += sign * contacts.frictionForce[3 * i + k]!
    }
  }
  return { normal, friction, total: normal.map((value, k) => value + friction[k]!) }
}

export function size(v: readonly number[]): number {
  return Math.hypot(...v)
}

export function worst(recording: Recorded, of: (certificate: CertificateFrame) => number): number {
  return recording.certificates.reduce((largest, certificate) => Math.max(largest, Math.abs(of(certificate))), 0)
}

/** A scene around bodies of one material. */
export function sceneOf(
  bodies: readonly object[], friction: number | { static: number; dynamic: number }, simulation: object = {}, rest: object = {}, restitution = 0,
): object {
  const coefficients = typeof friction === 'number' ? { static: friction, dynamic: friction } : friction
  return {
    format: 'cairn-scene', version: 1,
    materials: [{ id: 'stone', density: 1000, friction: coefficients, restitution }],
    bodies, simulation, ...rest,
  }
}

export const floor = { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] }

export function box(id: string, edges: readonly number[], position: readonly number[], rest: object = {}): object {
  return { id, position, shapes: [{ type: 'box', size: edges, material: 'stone' }], ...rest }
}

export function ball(id: string, radius: number, position: readonly number[], rest: object = {}): object {
  return { id, position, shapes: [{ type: 'sphere', radius, material: 'stone' }], ...rest }
}

type Q = readonly [number, number, number, number]

export function turn(axis: readonly number[], angle: number): Q {
  const s = Math.sin(angle / 2) / size(axis)
  return [axis[0]! * s, axis[1]! * s, axis[2]! * s, Math.cos(angle / 2)]
}

export function times(a: Q, b: Q): Q {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1], a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3], a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ]
}
