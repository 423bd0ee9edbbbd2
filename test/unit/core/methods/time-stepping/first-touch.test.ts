/** The instant of the first impact in a step, against parabolas. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveConstraint } from '../../../../../core/methods/time-stepping/active-constraint'
import type { StepContext } from '../../../../../core/methods/time-stepping/context'
import { firstTouch, meetsInStep, meetsTogether } from '../../../../../core/methods/time-stepping/first-touch'
import type { StepIsland } from '../../../../../core/methods/time-stepping/step-island'

const STEP = 0.01
const AIM = 1e-9

/** Without forces at its bodies, so that every approach above the resting speed is an impact. */
const context = {
  gap: AIM, step: STEP, settings: { restingSpeed: 1e-3, step: STEP },
  equations: { external: new Float64Array(12), snapshot: { inverseMass: new Float64Array([1, 0]) } },
} as unknown as StepContext

interface Contact {
  readonly gap: number
  readonly velocity: number
  /** m/s: at the middle of the step. */
  readonly middle: number
  readonly kind?: string
  readonly collides?: boolean
  readonly impulse?: number
}

function island(contacts: readonly Contact[]): StepIsland {
  return {
    h: STEP, problem: { p: Float64Array.from(contacts, ({ impulse = 1 }) => impulse) },
    constraints: contacts.map(({ gap, velocity, middle, kind = 'vertex', collides = true }, row) => ({
      row, collides, touches: gap <= 10 * AIM, aim: AIM, normalVelocity: velocity, unmet: middle, choice: 0, at: { gap, normal: [0, 0, 1] },
      constraint: { pair: { bodyA: 0, bodyB: 1 }, candidates: [{ featureA: { kind }, featureB: { kind: 'face' } }] },
    } as unknown as ActiveConstraint)),
  } as unknown as StepIsland
}

describe('the first impact of a step', () => {
  it('is where a contact with constant acceleration reaches its gap', () => {
    const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true })
    fc.assert(fc.property(between(0.05, 0.95), between(0.1, 5), between(-20, 20), (part, speed, acceleration) => {
      const time = part * STEP
      // It still approaches when it arrives.
      fc.pre(-speed + acceleration * time < -0.01)
      const gap = AIM + speed * time - acceleration * time * time / 2
      fc.pre(gap > 1e-4)
      expect(Math.abs(firstTouch(context, island([{ gap, velocity: -speed, middle: -speed + acceleration * STEP / 2 }])) - time)).toBeLessThanOrEqual(1e-9 * STEP)
    }))
  })

  it('is the earliest one of all contacts that push', () => {
    const contacts = [0.5, 0.3, 0.1].map(part => ({ gap: AIM + part * STEP, velocity: -1, middle: -1 }))
    expect(firstTouch(context, island(contacts))).toBeCloseTo(0.1 * STEP, 12)
    expect(firstTouch(context, island(contacts.map((contact, k) => k === 2 ? { ...contact, impulse: 0 } : contact)))).toBeCloseTo(0.3 * STEP, 12)
    expect(firstTouch(context, island(contacts.map((contact, k) => k === 2 ? { ...contact, collides: false } : contact)))).toBeCloseTo(0.3 * STEP, 12)
  })

  it('is at the start for contacts that are met or, beside touching ones, nearly met, and not in the step for slow ones, those met at its end, and rims', () => {
    expect(firstTouch(context, island([{ gap: AIM, velocity: -1, middle: -1 }]))).toBe(0)
    const near = { gap: 5 * AIM, velocity: -1, middle: -1 }
    expect(firstTouch(context, island([near]))).toBeCloseTo(4 * AIM, 15)
    expect(firstTouch(context, island([near, { gap: AIM, velocity: 0, middle: 0, collides: false }]))).toBe(0)
    expect(firstTouch(context, island([{ gap: 0.5 * STEP * 5e-4, velocity: -5e-4, middle: -5e-4 }]))).toBe(Infinity)
    expect(firstTouch(context, island([{ gap: AIM + (1 - 1e-10) * STEP, velocity: -1, middle: -1 }]))).toBe(Infinity)
    expect(firstTouch(context, island([{ gap: 0.5 * STEP, velocity: -1, middle: -1, kind: 'rim' }]))).toBe(Infinity)
  })

  it('needs a contact that approaches as in an impact, and pushes', () => {
    expect(meetsInStep(island([{ gap: 0, velocity: -1, middle: -1 }]))).toBe(true)
    expect(meetsInStep(island([{ gap: 0, velocity: -1, middle: -1, impulse: 0 }]))).toBe(false)
    expect(meetsInStep(island([{ gap: 0, velocity: -1, middle: -1, collides: false }]))).toBe(false)
  })

  it('takes contacts along that follow within about a hundredth of a step', () => {
    const met = (part: number): boolean => meetsTogether(island([{ gap: AIM + part * STEP, velocity: -1, middle: -1 }]).constraints[0]!, STEP)
    expect(met(0.01)).toBe(true)
    expect(met(0.03)).toBe(false)
  })
})
