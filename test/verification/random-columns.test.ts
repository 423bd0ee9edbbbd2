// @module-tag long
/** Columns of random bodies with random masses and steps: valid states or a typed stop, and never a gain of energy. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ball, box, floor, recorded, sceneOf, size, turn, worst } from './support'

/** Numbers of realistic size, without exponents such as 1e-300. */
const between = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: 1000 }).map(part => min + (max - min) * part / 1000)
const unit = between(0, 1)
const centred = between(-1, 1)
const three = fc.tuple(centred, centred, centred)

const body = fc.record({
  round: fc.boolean(), edges: fc.tuple(unit, unit, unit).map(edges => edges.map(edge => 0.3 + edge)),
  mass: between(-3, 3).map(exponent => 10 ** exponent), aside: fc.tuple(centred, centred), above: unit,
  axis: three, angle: between(0, 3), velocity: three, spin: three,
})

const column = fc.record({
  bodies: fc.array(body, { minLength: 2, maxLength: 5 }), still: fc.boolean(),
  friction: fc.oneof(fc.constant(0), unit), restitution: fc.oneof(fc.constant(0), unit),
  step: between(-3, -1).map(exponent => 10 ** exponent), contactModel: fc.constantFrom('standard', 'peg'),
})

type Column = typeof column extends fc.Arbitrary<infer T> ? T : never

/** Bodies from the ground up: touching and at rest, or turned, apart and moving. */
function bodiesOf({ bodies, still }: Column): object[] {
  let top = 0
  return bodies.map(({ round, edges, mass, aside, above, axis, angle, velocity, spin }, i) => {
    const [a, b, c] = edges as [number, number, number]
    const radius = round ? a / 2 : still ? c / 2 : size(edges) / 2
    const z = top + radius + (still ? 0 : 0.01)
    top = z + radius + (still ? 0 : 0.2 * above)
    const inertia = round ? [0.4 * mass * radius * radius, 0.4 * mass * radius * radius, 0.4 * mass * radius * radius]
      : [mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12]
    const position = [0.15 * aside[0], 0.15 * aside[1], z]
    const rest = {
      mass: { mass, inertia: [...inertia, 0, 0, 0] },
      ...still ? {} : {
        linearVelocity: [velocity[0] / 2, velocity[1] / 2, velocity[2] - 1], angularVelocity: spin.map(value => 2 * value),
        orientation: turn(size(axis) > 0.1 ? axis : [0, 0, 1], angle),
      },
    }
    return round ? ball(`b${i}`, radius, position, rest) : box(`b${i}`, edges, position, rest)
  })
}

it('columns of two to five boxes and balls, masses from 1e-6:1 to 1e6:1, any friction and restitution, steps of 1 ms to 0.1 s', () => {
  fc.assert(fc.property(column, scene => {
    const { friction, restitution, step, contactModel } = scene
    const run = recorded(sceneOf([floor, ...bodiesOf(scene)], friction, {
      method: 'time-stepping', duration: 15 * step, outputRate: 1 / step, timeStepping: { contactModel, step },
    }, {}, restitution))
    if (run.end.status !== 'completed') expect(run.end.reason).toMatch(/^(StepSizeUnderflow|SolverFailure)$/)
    for (const { bodies } of run.frames) for (const value of bodies) expect(Number.isFinite(value)).toBe(true)
    expect(worst(run, c => c.maxPenetration)).toBeLessThanOrEqual(1e-9)
    const energies = run.certificates.map(({ energy }) => energy)
    const [first] = energies as [typeof energies[number]]
    const turnover = Math.max(...energies.map(({ kinetic }) => kinetic)) + Math.max(...energies.map(({ potential }) => Math.abs(potential - first.potential)))
    let [kinetic, change] = [0, 0]
    for (const energy of energies) {
      kinetic = Math.max(kinetic, energy.kinetic)
      change = Math.max(change, Math.abs(energy.potential - first.potential))
      // The audit's residual is relative to the energies so far.
      expect(energy.residual * (kinetic + change)).toBeLessThanOrEqual(0.1 * turnover + 1e-9)
    }
  }), { numRuns: 40, endOnFailure: true })
})
