import { describe, expect, it } from 'vitest'
import { ball, bodyAt, box, contactForceOn, floor, recorded, sceneOf, worst } from '../../../../verification/support'

const STEPPING = { method: 'time-stepping', duration: 1 / 60, outputRate: 60, timeStepping: { step: 1 / 60 } }

/** 300 bricks in running bond; those at the ends of every other course stand on their edges. */
const wall = Array.from({ length: 300 }, (_, k) => {
  const course = Math.floor(k / 20)
  return box(`brick-${k}`, [0.4, 0.2, 0.2], [(k % 20 + (course % 2) / 2) * 0.4, 0, (course + 0.5) * 0.2])
})

describe('a standing wall of hundreds of bricks', () => {
  it('balances to rounding from the first frame on, and asks between the steps of its solution whether the run was cancelled', () => {
    let asked = 0
    const run = recorded(sceneOf([floor, ...wall], 0.5, STEPPING), undefined, () => {
      asked++
      return false
    })
    expect([run.end.status, run.end.warnings, run.events.filter(({ kind }) => kind === 'degraded')]).toEqual(['completed', [], []])
    const weight = 9.81 * 1000 * 0.4 * 0.2 * 0.2
    for (const contacts of run.contacts) {
      wall.forEach((_, k) => {
        const { total } = contactForceOn(contacts, k + 1)
        expect(Math.hypot(total[0]!, total[1]!, total[2]! - weight) / (300 * weight)).toBeLessThan(1e-11)
      })
    }
    for (const { maxComplementarity, maxConeViolation, maxPenetration } of run.certificates) {
      expect(maxPenetration).toBe(0)
      expect(maxComplementarity).toBeLessThan(1e-9)
      expect(maxConeViolation).toBeLessThan(1e-10)
    }
    const ends = run.frames.map(frame => bodyAt(frame, 300).position)
    expect(Math.hypot(...ends[1]!.map((x, i) => x - ends[0]![i]!))).toBeLessThan(1e-9)
    // 70 factorisations and more before the first frame.
    expect(asked).toBeGreaterThan(50)
  })
})

it('a wall of loose bricks is knocked over by a ball on a pendulum, whose joint holds and which no brick overlaps', () => {
  const bricks = Array.from({ length: 70 }, (_, k) => {
    const course = Math.floor(k / 10)
    return box(`brick-${k}`, [0.2, 0.4, 0.2], [0, (k % 10 - 5 + (course % 2) / 2) * 0.402, (course + 0.5) * 0.2])
  })
  const bob = ball('bob', 0.35, [-0.5, 0, 0.82], { linearVelocity: [5.4, 0, 0], angularVelocity: [0, -5.4 / 3.18, 0] })
  const rope = { id: 'rope', type: 'ball', bodyA: 'bob', bodyB: 'ground', anchor: [-0.5, 0, 4] }
  const run = recorded(sceneOf([floor, ...bricks, bob], 0.6, { method: 'time-stepping', duration: 0.15 }, { joints: [rope] }, 0.1))
  expect([run.end.status, run.end.message]).toEqual(['completed', ''])
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  expect(worst(run, c => c.maxJointError)).toBeLessThanOrEqual(1e-9)
  expect(worst(run, c => c.energy.residual)).toBeLessThanOrEqual(0.02)
  expect(bodyAt(run.frames.at(-1)!, 35).position[0]).toBeGreaterThan(0.02)
})

it('the forces of a wall that is struck fit its motion, also where sweeps do not converge and no contact overlaps', () => {
  const bricks = Array.from({ length: 30 }, (_, k) => {
    const course = Math.floor(k / 6)
    return {
      id: `brick-${k}`, position: [0, (k % 6 - 2.5) * 0.402 + 0.2 * (course % 2), 0.1 + 0.2 * course], shapes: [{ type: 'box', size: [0.2, 0.4, 0.2], material: 'stone' }],
    }
  })
  const material = (id: string, density: number, mu: number, restitution: number) => ({ id, density, friction: { static: mu, dynamic: 0.9 * mu }, restitution })
  const run = recorded({
    format: 'cairn-scene', version: 1, materials: [material('stone', 2500, 0.6, 0.1), material('steel', 7850, 0.3, 0.6)],
    bodies: [
      { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] }, ...bricks,
      { id: 'ball', position: [-0.46, 0, 0.7], linearVelocity: [6, 0, 0], shapes: [{ type: 'sphere', radius: 0.35, material: 'steel' }] },
    ],
    simulation: { method: 'time-stepping', duration: 1 / 240 },
  })
  expect(run.end.status).toBe('completed')
  expect(worst(run, c => c.maxPenetration)).toBe(0)
  // Over 100 m/s when any residual was accepted.
  expect(worst(run, c => c.maxComplementarity)).toBeLessThan(1e-4)
})
