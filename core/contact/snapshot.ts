/** All bodies at one instant, unpacked once from a state vector and shared by forces, rows, events and recording. */

import { worldInverseInertia, type RigidBody } from '../dynamics/body'
import { WORLD_MOTION } from '../dynamics/joints/frame'
import { BODY_STATE } from '../dynamics/state'
import { readMotion, type StateLayout } from '../dynamics/state-layout'
import { Trees, type Forest } from '../dynamics/trees'
import type { BodyMotion } from '../geometry/motion'

export class Snapshot {
  readonly motions: BodyMotion[]
  readonly exists: boolean[]
  /** 0 for bodies that are not dynamic or do not exist yet. */
  readonly inverseMass: Float64Array
  /** World axes, 9 a body, row-major; zero if the inverse mass is zero. */
  readonly inverseInertia: Float64Array

  readonly bodies: readonly RigidBody[]
  /** Last unpacked state of each body, and its existence: unchanged bodies are not unpacked again. */
  private readonly read: Float64Array
  private readonly unpacked: BodyMotion[]
  private readonly existed: boolean[]
  /** Bodies whose joints are coordinates without rows; null if all joints are rows. */
  trees: Trees | null

  constructor(readonly layout: StateLayout, forest: Forest | null = null) {
    const { bodies } = layout
    this.bodies = bodies
    this.motions = bodies.map(() => WORLD_MOTION)
    this.exists = bodies.map(body => body.spawnTime <= 0)
    this.inverseMass = new Float64Array(bodies.length)
    this.inverseInertia = new Float64Array(9 * bodies.length)
    this.read = new Float64Array(BODY_STATE * bodies.length).fill(NaN)
    this.unpacked = this.motions.slice()
    this.existed = bodies.map(() => false)
    this.trees = forest === null ? null : new Trees(forest, bodies, body => this.motionOf(body))
  }

  /** Runs `act` with all joints as rows. */
  withoutTrees(act: () => void): void {
    const { trees } = this
    this.trees = null
    try {
      act()
    } finally {
      this.trees = trees
      trees?.stale()
    }
  }

  /** @param bodies to unpack; all if absent */
  update(state: Float64Array, bodies?: readonly number[]): void {
    this.trees?.stale()
    const count = bodies?.length ?? this.bodies.length
    for (let k = 0; k < count; k++) {
      const i = bodies?.[k] ?? k
      if (this.isUpToDate(i, state)) continue
      const body = this.bodies[i]!
      const motion = readMotion(this.layout, i, state)
      this.motions[i] = this.unpacked[i] = motion
      if (body.type !== 'dynamic' || !this.exists[i]) {
        this.inverseMass[i] = 0
        continue
      }
      this.inverseMass[i] = body.inverseMass
      this.inverseInertia.set(worldInverseInertia(body, motion.rotation), 9 * i)
    }
  }

  private isUpToDate(i: number, state: Float64Array): boolean {
    const { read, existed, exists } = this
    const from = this.layout.offsets[i]!
    if (from < 0) return false
    const at = BODY_STATE * i
    let same = existed[i] === exists[i] && this.motions[i] === this.unpacked[i]
    existed[i] = exists[i]!
    for (let k = 0; k < BODY_STATE; k++) {
      same &&= read[at + k] === state[from + k]
      read[at + k] = state[from + k]!
    }
    return same
  }

  motionOf(body: number): BodyMotion {
    return body < 0 ? WORLD_MOTION : this.motions[body]!
  }

  /** Velocities of the centres of mass and angular velocities, 6 doubles a body. */
  velocities(out: Float64Array): void {
    for (let i = 0; i < this.motions.length; i++) {
      const { velocity, angularVelocity } = this.motions[i]!
      for (let k = 0; k < 3; k++) {
        out[6 * i + k] = velocity[k]!
        out[6 * i + 3 + k] = angularVelocity[k]!
      }
    }
  }
}

/** A separate snapshot of the same bodies at a state. */
export function copySnapshot(from: Snapshot, state: Float64Array): Snapshot {
  const copy = new Snapshot(from.layout, from.trees?.forest)
  from.exists.forEach((exists, i) => { copy.exists[i] = exists })
  copy.update(state)
  return copy
}
