/** Symmetric scenes stay symmetric: no step prefers a side, although forces, including friction, are far from unique. */

import { expect, it } from 'vitest'
import { bodyAt, box, floor, recorded, sceneOf, worst } from './support'
import { cos, sin } from '../../core/math/elementary'

/** m: half sizes; positions are relative to the first domino's foot. */
const [THICK, HIGH] = [0.05, 0.5]

/**
 * @param width of every other domino, m
 * @param tilt of the first one, rad
 */
function dominoes(count: number, width = 0.5, tilt = 0.152): object[] {
  const orientation = [0, sin(tilt / 2), 0, cos(tilt / 2)]
  const foot: number[] = [THICK * cos(tilt) - HIGH * sin(tilt), 0, THICK * sin(tilt) + HIGH * cos(tilt) - 1e-12]
  return Array.from({ length: count }, (_, k) => box(`d${k}`, [2 * THICK, k % 2 === 0 ? 0.5 : width, 2 * HIGH], k === 0 ? [0.05 - foot[0]!, 0, foot[2]!] : [0.4 * k, 0, HIGH],
    k === 0 ? { orientation } : {}))
}

it.each([
  ['standard', 0.152], ['standard', 0.1524], ['standard', 0.1528], ['standard', 0.153], ['peg', 0.152], ['peg', 0.1527],
] as const)('a row of ten dominoes falls, and stays in its plane to 2e-8 m: by %s, from %s rad', (contactModel, tilt) => {
  const run = recorded(sceneOf([floor, ...dominoes(10, 0.5, tilt)], 0.4, {
    method: 'time-stepping', duration: 2.5, outputRate: 60, timeStepping: { step: 1 / 60, contactModel },
  }))
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  expect(worst(run, c => c.degraded)).toBe(0)
  for (const frame of run.frames) {
    for (let body = 1; body <= 10; body++) {
      const { position } = bodyAt(frame, body)
      expect(Math.abs(position[1]!)).toBeLessThanOrEqual(2e-8)
    }
  }
  for (let body = 1; body <= 10; body++) expect(bodyAt(run.frames.at(-1)!, body).position[2]!).toBeLessThanOrEqual(0.35)
})

it.each(['standard', 'peg'] as const)('a row of fifty dominoes stays in its plane until it lies, its last two collide included: by %s', contactModel => {
  const run = recorded(sceneOf([floor, ...dominoes(50, 0.5, 0.15202839)], 0.4, {
    method: 'time-stepping', duration: 7, outputRate: 60, timeStepping: { step: 1 / 60, contactModel },
  }))
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  for (const frame of run.frames) {
    for (let body = 1; body <= 50; body++) expect(Math.abs(bodyAt(frame, body).position[1]!)).toBeLessThanOrEqual(2e-8)
  }
  for (let body = 1; body <= 50; body++) expect(bodyAt(run.frames.at(-1)!, body).position[2]!).toBeLessThanOrEqual(0.35)
})

it('geometrically exact: dominoes 0.5 and 0.4 m wide by turns, held by crossings on one and by corners on the next, lean on each other in their plane', () => {
  const run = recorded(sceneOf([floor, ...dominoes(4, 0.4)], 0.4, {
    method: 'time-stepping', duration: 1.2, outputRate: 60, timeStepping: { step: 1 / 60, contactModel: 'peg' },
  }))
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  expect(worst(run, c => c.degraded)).toBe(0)
  for (const frame of run.frames) {
    for (let body = 1; body <= 4; body++) {
      const { position, orientation } = bodyAt(frame, body)
      expect(Math.abs(position[1]!)).toBeLessThanOrEqual(1e-10)
      expect(Math.abs(orientation[0]!) + Math.abs(orientation[2]!)).toBeLessThanOrEqual(1e-10)
    }
  }
  // The third leans on the fourth, which has begun to turn.
  expect(Math.abs(bodyAt(run.frames.at(-1)!, 4).orientation[1]!)).toBeGreaterThan(0.01)
})

it('geometrically exact: dominoes that stand 0.1 μm aside of each other by turns fall in a row', () => {
  const row = dominoes(4).map((domino, k) => {
    const { position } = domino as { position: number[] }
    return { ...domino, position: [position[0], k % 2 === 0 ? 0 : 1e-7, position[2]] }
  })
  const run = recorded(sceneOf([floor, ...row], 0.4, {
    method: 'time-stepping', duration: 1.6, outputRate: 60, timeStepping: { step: 1 / 60, contactModel: 'peg' },
  }))
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  for (const frame of run.frames) for (let body = 1; body <= 4; body++) expect(Math.abs(bodyAt(frame, body).position[1]!)).toBeLessThanOrEqual(1.1e-7)
})

it('a tilted domino that overlaps the floor by rounding is lifted as it stands, and falls in its plane', () => {
  const run = recorded(sceneOf([floor, ...dominoes(1)], 0.4, {
    method: 'time-stepping', duration: 0.1, outputRate: 60, timeStepping: { step: 1 / 60, contactModel: 'standard' },
  }))
  for (const frame of run.frames) {
    const { position, angularVelocity } = bodyAt(frame, 1)
    expect(Math.abs(position[1]!)).toBeLessThanOrEqual(1e-15)
    // Rounding: a hundred units in the last place of its angular velocity, 1 rad/s.
    expect(Math.abs(angularVelocity[0]!)).toBeLessThanOrEqual(100 * Number.EPSILON)
  }
})
