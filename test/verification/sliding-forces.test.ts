import { describe, expect, it } from 'vitest'
import { box, floor, recorded, sceneOf } from './support'

describe('boxes that slide and spin on four corners each', () => {
  const boxes = [0, 1, 2].map(i => box(`b${i}`, [1, 1, 0.5], [2 * i, 0, 0.25], {
    linearVelocity: [0.3 * i, 3 + 0.2 * i, 0], angularVelocity: [0, 0, 1 + i],
  }))
  const run = recorded(sceneOf([floor, ...boxes], 0.4, { duration: 0.3, outputRate: 60 }))

  it('have forces that change smoothly, although four corners are redundant: steps are not shortened', () => {
    expect(run.events.filter(({ kind }) => kind === 'restart').map(({ message }) => message)).toEqual(['start', 'end'])
    // Each of the three steps on its own.
    expect(run.end.steps).toBeLessThan(3 * 15)
    const forces = run.contacts.map(({ normalForce }) => [...normalForce])
    const largest = Math.max(...forces.flat())
    for (let k = 2; k < forces.length; k++) {
      forces[k]!.forEach((force, i) => {
        expect(Math.abs(force - 2 * forces[k - 1]![i]! + forces[k - 2]![i]!)).toBeLessThan(2e-3 * largest)
      })
    }
  })

  it('carry their weight, with friction μ N against the slip of each corner', () => {
    const weight = 3 * 1000 * 0.5 * 9.81
    for (const { count, normalForce, frictionForce, relativeVelocity } of run.contacts) {
      expect(count).toBe(12)
      expect(normalForce.reduce((sum, force) => sum + force, 0)).toBeCloseTo(weight, 6)
      for (let i = 0; i < count; i++) {
        const slip = [...relativeVelocity.subarray(3 * i, 3 * i + 3)]
        const speed = Math.hypot(...slip)
        slip.forEach((v, k) => expect(frictionForce[3 * i + k]! + 0.4 * normalForce[i]! * v / speed).toBeCloseTo(0, 6))
      }
    }
  })
})
