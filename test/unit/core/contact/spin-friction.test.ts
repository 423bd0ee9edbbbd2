/** Static friction against relative rotation on a rotating plate: its normal rotates with the plate. */
import { describe, expect, it } from 'vitest'
import { bodyIn, recorded, size } from '../../../verification/support'

/** rad/s of the plate, about y. */
const rate = 0.8

/** The rotation of a ball against the plate, as its part about the plate's normal and the rest, rad/s, at every frame. */
function onTurningPlate(friction: object, omega: readonly number[]) {
  const run = recorded({
    format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000, friction: { static: 3, dynamic: 3, ...friction } }],
    bodies: [
      { id: 'plate', type: 'kinematic', position: [0, 0, 0], angularVelocity: [0, rate, 0], shapes: [{ type: 'box', size: [2, 2, 0.2], material: 'm' }] },
      { id: 'ball', position: [0, 0, 0.3], angularVelocity: omega.map((w, k) => w + [0, rate, 0][k]!), linearVelocity: [rate * 0.3 + omega[1]! * 0.2, -omega[0]! * 0.2, 0], shapes: [{ type: 'sphere', radius: 0.2, material: 'm' }] },
    ],
    simulation: { duration: 0.1, outputRate: 100, method: 'event-driven' },
  })
  expect(run.end.status).toBe('completed')
  expect(run.contacts.every(({ count }) => count === 1)).toBe(true)
  return run.frames.map(frame => {
    const normal = [Math.sin(rate * frame.time), 0, Math.cos(rate * frame.time)]
    const relative = bodyIn(run, 'ball', frame).angularVelocity.map((w, k) => w - [0, rate, 0][k]!)
    const about = relative.reduce((sum, w, k) => sum + w * normal[k]!, 0)
    return { about, rest: size(relative.map((w, k) => w - about * normal[k]!)) }
  })
}

describe('a ball on a plate that turns', () => {
  it('held by rolling friction spins about the plate\'s normal as it rotates', () => {
    for (const { about, rest } of onTurningPlate({ rolling: 5 }, [0, 0, 20])) {
      expect(rest).toBeLessThan(1e-8)
      expect(Math.abs(about - 20)).toBeLessThan(1e-7)
    }
  })

  it('held by torsional friction does not spin while it rolls', () => {
    const turned = onTurningPlate({ torsional: 5 }, [3, 1, 0])
    for (const { about, rest } of turned) {
      expect(Math.abs(about)).toBeLessThan(1e-8)
      expect(rest).toBeGreaterThan(1)
    }
  })
})
