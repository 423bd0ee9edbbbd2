/** Chains of bodies that are struck: contacts hold at the end of a step as joints do, and impacts do not pay for the rotation of joints. */

import { expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { SCENES } from '../bench/rapier/scenes'
import { recorded, worst } from './support'

/** Two crates fall on a chain of twenty hinged planks that hangs between its ends. */
function bridge(step: number, duration: number): Scene {
  const scene = SCENES['rope bridge with a load']!()
  return { ...scene, simulation: { ...scene.simulation, duration, timeStepping: { step } } }
}

it.each([
  { step: 1 / 60, duration: 1, most: 0.03 },
  { step: 1 / 240, duration: 0.6, most: 0.03 },
])('a bridge that two crates fall on keeps its energy balance to $most in steps of $step s', ({ step, duration, most }) => {
  const run = recorded(bridge(step, duration))
  expect(run.end.status).toBe('completed')
  expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(most)
})

it('to first order in the step', { tags: 'long' }, () => {
  const run = recorded(bridge(1 / 960, 0.6))
  expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(0.006)
})
