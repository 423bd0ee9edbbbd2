/** Constraints that a pile's problem contains from the start of a step: those with an impulse in the last step. */

import { describe, expect, it } from 'vitest'
import { createCollider } from '../../../../../core/collision/collider'
import type { FeaturePair } from '../../../../../core/collision/contact'
import type { PrimitivePair } from '../../../../../core/contact/contact-set'
import { rigidBody } from '../../../../../core/dynamics/body'
import { box } from '../../../../../core/geometry/box'
import { diagonal } from '../../../../../core/math/matrix'
import { IDENTITY_POSE } from '../../../../../core/math/pose'
import type { Clusters } from '../../../../../core/methods/time-stepping/clusters'
import type { ContactModel, StepConstraint } from '../../../../../core/methods/time-stepping/contact-model'
import type { LocalScales } from '../../../../../core/methods/time-stepping/local-scales'
import type { ImpulseMemory } from '../../../../../core/methods/time-stepping/memory'
import type { NearPairs } from '../../../../../core/methods/time-stepping/near-pairs'
import { Passages } from '../../../../../core/methods/time-stepping/passage'
import { StepConstraints } from '../../../../../core/methods/time-stepping/step-constraints'
import { oneStep } from './one-step'

/** m: larger than the gap of resting contacts. */
const OPEN = 1e-3

const bodies = [0, 1].map(index => rigidBody({
  index, id: `b${index}`, type: 'dynamic', mass: 1, inertia: diagonal(1 / 6, 1 / 6, 1 / 6), position: [0, 0, (1 + OPEN) * index], orientation: [0, 0, 0, 1],
  boundingRadius: 1,
}))
const cube = () => ({ primitive: box([1, 1, 1]), pose: IDENTITY_POSE, shape: 0, material: 0 })
const [a, b] = [cube(), cube()]
const pair: PrimitivePair = {
  bodyA: 1, bodyB: 0, a, b, shapeA: 0, shapeB: 0, key: '1/0', collider: createCollider(a, b)!, memory: {},
  material: { staticFriction: 0, dynamicFriction: 0, torsionalFriction: 0, rollingFriction: 0, restitution: 0 },
}

function features(margin: number): FeaturePair {
  return {
    key: 'vertex0/face0', featureA: { kind: 'vertex', index: 0 }, featureB: { kind: 'face', index: 0 }, gap: () => OPEN, margin: () => margin,
    locate: () => ({ point: [0, 0, 0.5], normal: [0, 0, 1], gap: OPEN }), rates: () => { throw new Error('not asked for') },
  }
}

const constraint = (primaries: number, margin = 1): StepConstraint =>
  ({ kind: 'unilateral', pair, key: '1/0/vertex0/face0', candidates: [features(margin)], primaries })

/** Constraints active at the start: those of the model, and those with an impulse in the last step. */
function engaged(brought: readonly StepConstraint[], pushed: readonly StepConstraint[]): readonly StepConstraint[] {
  const { motions, drift } = oneStep(bodies, 2, 0.01)
  drift()
  const model: ContactModel = { name: 'listed', constraints(_, __, out) { out.push(...brought) } }
  const memory = { pushing(_: unknown, out: StepConstraint[]) { out.push(...pushed) } } as unknown as ImpulseMemory
  const constraints = new StepConstraints(motions, new Passages(motions), { pairs: [pair], way: Float64Array.of(0.1, 0.1) } as unknown as NearPairs,
    { size: () => 1, least: () => 1 } as unknown as LocalScales, { isPile: () => true } as unknown as Clusters, memory, null)
  constraints.begin(model, new Uint8Array(bodies.length))
  return constraints.list.filter(active => active.engaged).map(active => active.constraint)
}

describe('in a pile', () => {
  it('a contact with an impulse takes part, although it is open', () => {
    expect(engaged([constraint(1)], [])).toEqual([])
    const [found] = engaged([constraint(1)], [constraint(1)])
    expect(found?.key).toBe('1/0/vertex0/face0')
  })

  it('so does one that was found because its pair overlapped, although its features do not face each other', () => {
    expect(engaged([], [constraint(1)])).toHaveLength(1)
  })

  it('a contact that has left its features does not', () => {
    expect(engaged([], [constraint(1, -1)])).toEqual([])
  })

  it('a constraint that is only checked does not, even if its key had an impulse', () => {
    expect(engaged([constraint(0)], [constraint(1)])).toEqual([])
  })
})
