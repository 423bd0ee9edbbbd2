/** Whether bodies that were stepped separately met on their paths. */

import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { Snapshot } from '../../../../../core/contact/snapshot'
import { rigidBody } from '../../../../../core/dynamics/body'
import { initialState, stateLayout } from '../../../../../core/dynamics/state-layout'
import { box } from '../../../../../core/geometry/box'
import { diagonal } from '../../../../../core/math/matrix'
import { IDENTITY_POSE } from '../../../../../core/math/pose'
import { BodyMotions } from '../../../../../core/methods/time-stepping/body-motions'
import { Passages } from '../../../../../core/methods/time-stepping/passage'
import { Traces } from '../../../../../core/methods/time-stepping/traces'

const solid = { primitive: box([1, 1, 1]), pose: IDENTITY_POSE, shape: 0, material: 0 }
const pair: PrimitivePair = {
  bodyA: 0, bodyB: 1, a: solid, b: solid, shapeA: 0, shapeB: 0, key: '0/1', collider: createCollider(solid, solid)!, memory: {},
  material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
}

/** Boxes 0.01 m apart, the first of which goes through its step of 0.1 s in parts of equal length at some velocities along x, m/s; the second stays. */
function meets(...velocities: readonly number[]): boolean {
  const bodies = [0, 1.01].map((x, index) => rigidBody({
    index, id: `b${index}`, type: 'dynamic', mass: 1, inertia: diagonal(1, 1, 1), position: [x, 0, 0], orientation: [0, 0, 0, 1], boundingRadius: 1,
  }))
  const layout = stateLayout(bodies)
  let state = initialState(layout)
  const snapshot = new Snapshot(layout)
  const motions = new BodyMotions(snapshot)
  const passages = new Passages(motions)
  const traces = new Traces()
  const h = 0.1 / velocities.length
  velocities.forEach((velocity, k) => {
    snapshot.update(state)
    motions.begin()
    motions.velocity.fill(0)
    motions.velocity[0] = velocity
    const end = state.slice()
    motions.drift(0, h, state, end)
    traces.add([0], motions, passages, k * h, h)
    state = end
  })
  return traces.meet(pair, snapshot)
}

describe('a body whose path has several parts', () => {
  it('meets a body that it reaches in its last part, although it recedes from it at first', () => {
    expect(meets(-0.1, 0.5)).toBe(true)
    expect(meets(-0.2, -0.2, 0, 2)).toBe(true)
  })

  it('does not meet a body from which it recedes, or before which it stops', () => {
    expect(meets(-0.5, -0.1)).toBe(false)
    expect(meets(-0.1, 0.25)).toBe(false)
    expect(meets(0.09)).toBe(false)
  })

  it('meets a body that it reaches in its first part', () => {
    expect(meets(0.3, -0.5)).toBe(true)
    expect(meets(0.2)).toBe(true)
  })
})
