/** Energy balance of time-stepping at impacts, against closed forms: the work of contacts is complete, and no other error is hidden in it. */

import { describe, expect, it } from 'vitest'
import { ball, bodyAt, box, floor, recorded, sceneOf, turn, worst, type Recorded } from './support'

const g = 9.81

function stepped(bodies: readonly object[], step: number, restitution: number, rest: object = {}, contactModel = 'standard', duration = 1): Recorded {
  return recorded({
    ...sceneOf(bodies, 0, { method: 'time-stepping', duration, outputRate: Math.round(1 / step), timeStepping: { contactModel, step } }, {}, restitution),
    gravity: [0, 0, -g], ...rest,
  })
}

function weighing(mass: number): object {
  return { mass: { mass, inertia: [mass / 6, mass / 6, mass / 6, 0, 0, 0] } }
}

/** J: what the audit cannot explain. */
function leftOver(run: Recorded, frame: number): number {
  const energies = run.certificates.slice(0, frame + 1).map(({ energy }) => energy)
  const kinetic = Math.max(...energies.map(energy => energy.kinetic))
  const potential = Math.max(...energies.map(energy => Math.abs(energy.potential - energies[0]!.potential)))
  return energies[frame]!.residual * (kinetic + potential)
}

function frameAfterImpact(run: Recorded): number {
  const { time } = run.events.find(({ kind }) => kind === 'impact')!
  return run.frames.findIndex(frame => frame.time >= time - 1e-9)
}

describe.each(['standard', 'peg'])('a ball falls 1 m (%s)', contactModel => {
  it.each([[0.1, 0.5], [0.05, 0.5], [0.01, 0.5], [0.1, 1], [0.05, 0], [0.01, 0.9]])('with steps of %f s, e = %f: it loses (1 − e²) m g', (step, e) => {
    const run = stepped([floor, ball('ball', 0.5, [0, 0, 1.5], weighing(2))], step, e, {}, contactModel)
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-8)
    // A landing without bounce takes two steps: on to the surface, and there.
    const landed = frameAfterImpact(run) + (e === 0 ? 1 : 0)
    expect(run.certificates[landed]!.energy.impacts).toBeCloseTo(-(1 - e * e) * 2 * g, 6)
  })
})

describe.each([1e-6, 1e-3, 1, 1e3, 1e6])('onto a resting box of 1 kg falls one of %f kg', mass => {
  it.each([[0.1, 0], [0.1, 0.5], [0.05, 1]])('with steps of %f s, e = %f: the work of impacts is complete, and it rises to e² of the height', (step, e) => {
    const run = stepped([floor, box('low', [1, 1, 1], [0, 0, 0.5], weighing(1)), box('high', [1, 1, 1], [0, 0, 2.5], weighing(mass))], step, e)
    expect(run.end.status).toBe('completed')
    expect(Math.abs(leftOver(run, run.frames.length - 1))).toBeLessThanOrEqual(1e-7 * mass * g)
    const after = frameAfterImpact(run)
    const { position, linearVelocity } = bodyAt(run.frames[after]!, 2)
    if (e > 0) expect((position[2]! - 1.5) + linearVelocity[2]! * linearVelocity[2]! / (2 * g)).toBeCloseTo(e * e, 6)
  })
})

it('balls that collide without gravity leave no energy residual', () => {
  for (const e of [0, 0.5, 1]) {
    const run = stepped([
      ball('a', 0.5, [0, 0, 0], { linearVelocity: [3, 0, 0] }), ball('b', 0.5, [1.73, 0.3, 0], { ...weighing(2), linearVelocity: [-1, 0, 0] }),
    ], 0.1, e, { gravity: [0, 0, 0] })
    expect(run.events.some(({ kind }) => kind === 'impact')).toBe(true)
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-12)
  }
})

it('the energy error of a step that pushes a body off its parabola is not work of the impact, and is of second order', () => {
  // The impact takes the free fall of a box on its edge only as far as the edge feels it; the rest falls g h² / 2 too far in that step.
  const angle = 0.5
  const lever = Math.SQRT1_2 * Math.sin(Math.PI / 4 - angle)
  const felt = 1 / (1 + 6 * lever * lever)
  const lost = [0.04, 0.02, 0.01].map(step => {
    const run = stepped([floor, box('box', [1, 1, 1], [0, 0, 1.5], { ...weighing(1), orientation: turn([0, 1, 0], angle) })], step, 1, {}, 'standard', 0.6)
    const found = leftOver(run, frameAfterImpact(run))
    expect(found / (-(1 - felt) * g * g * step * step / 2)).toBeCloseTo(1, 4)
    return found
  })
  expect(Math.log2(lost[0]! / lost[1]!)).toBeCloseTo(2, 3)
  expect(Math.log2(lost[1]! / lost[2]!)).toBeCloseTo(2, 3)
})

it('a step that is too long for its impacts is halved, and an event reports the energy that would be gained or lost', () => {
  for (const height of [2.5, 2.6, 2.7, 2.8]) {
    const bodies = [floor, box('low', [1, 1, 1], [0, 0, 0.95], weighing(1)), box('high', [1, 1, 1], [0, 0, height], weighing(1e3))]
    const run = stepped(bodies, 0.1, 0.5, {}, 'standard', 1.5)
    expect(run.end.status).toBe('completed')
    const told = run.events.filter(({ kind, message }) => kind === 'degraded' && /energy/.test(message))
    expect(told.length).toBeGreaterThan(0)
    expect(told[0]!.message).toContain('is halved')
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(0.03)
  }
})
