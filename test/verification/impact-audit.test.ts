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

/** J: residual of the energy audit. */
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

it('a box that falls on an edge bounces by its closed form, and its energy is balanced, with any step', () => {
  const angle = 0.5
  const lever = Math.SQRT1_2 * Math.sin(Math.PI / 4 - angle)
  // The edge meets the floor below, and beside, the centre of mass: (1 + e) w / (1/m + lever²/I) with I = m/6.
  const effective = 1 / (1 + 6 * lever * lever)
  for (const step of [0.04, 0.02, 0.01]) {
    const run = stepped([floor, box('box', [1, 1, 1], [0, 0, 1.5], { ...weighing(1), orientation: turn([0, 1, 0], angle) })], step, 1, {}, 'standard', 0.6)
    const after = frameAfterImpact(run)
    expect(Math.abs(leftOver(run, after))).toBeLessThanOrEqual(1e-9)
    const fall = 1.5 - Math.SQRT1_2 * Math.cos(Math.PI / 4 - angle)
    const at = Math.sqrt(2 * fall / g)
    const rebound = (2 * effective - 1) * g * at
    const { linearVelocity } = bodyAt(run.frames[after]!, 1)
    expect(linearVelocity[2]! - (rebound - g * (run.frames[after]!.time - at))).toBeCloseTo(0, 6)
  }
})

it('a light box that falls below a heavy one rattles on the floor until both fly up, within one step, without an energy residual', () => {
  for (const height of [2.5, 2.6, 2.7, 2.8]) {
    const bodies = [floor, box('low', [1, 1, 1], [0, 0, 0.95], weighing(1)), box('high', [1, 1, 1], [0, 0, height], weighing(1e3))]
    const run = stepped(bodies, 0.1, 0.5, {}, 'standard', 1.5)
    expect(run.end.status).toBe('completed')
    expect(run.events.filter(({ kind }) => kind === 'degraded')).toEqual([])
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(1e-9)
  }
})

it('a step that is too long for impacts of many contacts is halved, and an event reports the energy that would be gained or lost', { tags: 'long' }, () => {
  const low = [-0.9, -0.3, 0.3, 0.9].map((x, k) => box(`low-${k}`, [0.5, 1, 1], [x, 0, 0.95 + 0.01 * k], weighing(1)))
  const told = [2.5, 2.6].flatMap(height => {
    // Later, the light boxes slide out from under the heavy one.
    const run = stepped([floor, ...low, box('high', [2.4, 1, 1], [0, 0, height], weighing(1e3))], 0.1, 0.5, {}, 'standard', 0.8)
    expect(run.end.status).toBe('completed')
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThanOrEqual(0.03)
    return run.events.filter(({ kind, message }) => kind === 'degraded' && /energy/.test(message))
  })
  expect(told.length).toBeGreaterThan(0)
  expect(told[0]!.message).toContain('is halved')
})
