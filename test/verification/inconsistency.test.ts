import { expect, it } from 'vitest'
import { bodyAt, floor, recorded, sceneOf } from './support'

const g = 9.81
const angle = 72 * Math.PI / 180
/** Half length 1 m, mass 1 kg, transverse inertia 1/8 kg m²: a rod as a bipyramid, so that its ends are single vertices. */
const rod = (velocity: readonly number[]) => {
  const r = 0.01
  return {
    id: 'rod', position: [Math.cos(angle), 0, Math.sin(angle)], orientation: [0, Math.sin((Math.PI / 2 - angle) / 2), 0, Math.cos((Math.PI / 2 - angle) / 2)],
    linearVelocity: velocity,
    shapes: [{ type: 'convexHull', material: 'stone', points: [[0, 0, -1], [0, 0, 1], [r, 0, 0], [0, r, 0], [-r, 0, 0], [0, -r, 0]] }],
    mass: { mass: 1, centerOfMass: [0, 0, 0], inertia: [0.125, 0.125, 0.1, 0, 0, 0] },
  }
}
const run = (friction: number) => recorded(sceneOf([floor, rod([-1, 0, 0])], friction, { duration: 0.02, outputRate: 100 }))
const critical = (Math.cos(angle) ** 2 + 1 / 8) / (Math.sin(angle) * Math.cos(angle))

it('Painlevé\'s rod slides below the critical friction 0.75025 with the force that Coulomb\'s law gives', () => {
  expect(Math.abs(critical - 0.75025)).toBeLessThanOrEqual(1e-5)
  const mu = 0.7
  const { contacts, events } = run(mu)
  const expected = g / (1 + 8 * Math.cos(angle) * (Math.cos(angle) - mu * Math.sin(angle)))
  expect(events.some(event => event.kind === 'inconsistent')).toBe(false)
  expect(Math.abs(contacts[0]!.normalForce[0]! / expected - 1)).toBeLessThanOrEqual(1e-9)
  expect(contacts[0]!.coneUsage[0]).toBeCloseTo(1, 10)
})

it('above it no forces exist, and an impulse stops the slip', () => {
  const { events, frames, certificates } = run(0.9)
  const jam = events.find(event => event.kind === 'inconsistent')!
  expect(jam.time).toBe(0)
  const { linearVelocity: v, angularVelocity: w } = bodyAt(frames[0]!, 1)
  // Velocity of the tip along the floor, right after.
  const slip = v[0]! + w[1]! * -Math.sin(angle)
  expect(Math.abs(slip)).toBeLessThanOrEqual(1e-12)
  expect(jam.energyLoss).toBeGreaterThan(0)
  for (const certificate of certificates) expect(Math.abs(certificate.energy.residual)).toBeLessThanOrEqual(1e-8)
})
