import { describe, expect, it } from 'vitest'
import { bodyIn, box, recorded, sceneOf, turn } from './support'

/** Platinum on platinum, of the table in CS248B. */
const PLATINUM = { static: 1.2, dynamic: 3 }
const g = 9.81

/** A block on a slope of this steepness, pushed down it with a speed, m/s. */
const onSlope = (method: string, steepness: number, speed: number): object => {
  const angle = Math.atan(steepness)
  const along = [Math.cos(angle), 0, -Math.sin(angle)]
  const normal = [Math.sin(angle), 0, Math.cos(angle)]
  return sceneOf([
    { id: 'slope', type: 'fixed', shapes: [{ type: 'halfSpace', normal, offset: 0, material: 'stone' }] },
    box('block', [1, 1, 0.1], normal.map(x => 0.05 * x), { orientation: turn([0, 1, 0], angle), linearVelocity: along.map(x => speed * x) }),
  ], PLATINUM, { method, duration: 0.5 })
}

describe.each(['event-driven', 'time-stepping'])('if dynamic friction exceeds static friction, %s', method => {
  it('a block stays at rest between the two coefficients: the slowest sliding would stop at once', () => {
    const run = recorded(onSlope(method, 2, 0))
    expect(run.end.message + run.end.status).toBe('completed')
    bodyIn(run, 'block').linearVelocity.forEach(v => expect(Math.abs(v)).toBeLessThan(1e-9))
  })

  it('a block that slides stops by the dynamic one', () => {
    const angle = Math.atan(2)
    const deceleration = g * (PLATINUM.dynamic * Math.cos(angle) - Math.sin(angle))
    const run = recorded(onSlope(method, 2, 1))
    expect(run.end.message + run.end.status).toBe('completed')
    const start = [0.05 * Math.sin(angle), 0, 0.05 * Math.cos(angle)]
    const way = Math.hypot(...bodyIn(run, 'block').position.map((x, k) => x - start[k]!))
    expect(Math.abs(way * 2 * deceleration - 1)).toBeLessThan(method === 'event-driven' ? 1e-8 : 0.05)
  })

  it('beyond the dynamic one it slides', () => {
    const angle = Math.atan(4)
    const run = recorded(onSlope(method, 4, 0))
    const speed = Math.hypot(...bodyIn(run, 'block').linearVelocity)
    expect(Math.abs(speed / (0.5 * g * (Math.sin(angle) - PLATINUM.dynamic * Math.cos(angle))) - 1)).toBeLessThan(1e-6)
  })
})
