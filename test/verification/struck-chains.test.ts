/** Chains of bodies that are struck: contacts hold at the end of a step as joints do, and impacts do not pay for the rotation of joints. */

import { expect, it } from 'vitest'
import { bodyMasses } from '../../core/analysis/body-masses'
import { forceBalance } from '../../core/analysis/force-balance'
import { requireScene, resolveScene, type Scene } from '../../core/scene'
import { SCENES } from '../bench/rapier/scenes'
import { recorded, size, worst } from './support'

/** Two crates fall on a chain of twenty hinged planks that hangs between its ends. */
function bridge(step: number, duration: number): Scene {
  const scene = SCENES['rope bridge with a load']!()
  return { ...scene, simulation: { ...scene.simulation, duration, timeStepping: { step } } }
}

it.each([
  { step: 1 / 60, duration: 1, most: 0.03 },
  { step: 1 / 240, duration: 0.6, most: 0.04 },
])('a bridge that two crates fall on keeps its energy balance to $most in steps of $step s', ({ step, duration, most }) => {
  const run = recorded(bridge(step, duration))
  expect(run.end.status).toBe('completed')
  expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(most)
})

it('and its contacts and joints show the forces that move its bodies, on their cones', () => {
  const scene = bridge(1 / 60, 0.5)
  const { header, frames, contacts, joints, forces, certificates } = recorded(scene)
  const masses = bodyMasses(resolveScene(requireScene(scene)))
  const gaps = frames.map((frame, k) => {
    const balances = header.bodyIds.map((_, body) => forceBalance({ header, masses, frame, contacts: contacts[k]!, joints: joints[k]!, forces: forces[k]! }, body)!)
    const largest = Math.max(...balances.flatMap(({ entries }) => entries.map(({ force }) => size(force))))
    return Math.max(...balances.map(({ sum, rate }) => size(sum.force.map((x, i) => x - rate!.force[i]!)))) / largest
  })
  expect(frames.some((_, k) => contacts[k]!.normalForce.some(force => force > 0))).toBe(true)
  expect(Math.max(...gaps)).toBeLessThan(1e-14)
  expect(Math.max(...certificates.map(({ maxConeViolation }) => maxConeViolation))).toBeLessThan(1e-14)
})

it('a bridge that two crates fall on keeps its energy balance to 0.006 in steps of 1/960 s, as a method of first order does', { tags: 'long' }, () => {
  const run = recorded(bridge(1 / 960, 0.6))
  expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(0.006)
})
