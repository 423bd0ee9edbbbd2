import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  angularMomentumOf, angularVelocityOf, kineticEnergy, rigidBody, worldInertia, worldInverseInertia, type BodySpec,
} from '../../../../core/dynamics/body'
import { BODY_STATE } from '../../../../core/dynamics/state'
import {
  initialState, readMotion, readMotions, renormalize, stateLayout, writeKinematics, writeMotion, writeScales,
} from '../../../../core/dynamics/state-layout'
import { multiply, symmetric } from '../../../../core/math/matrix'
import { distance, dot, length, sub } from '../../../../core/math/vector'
import { velocityAt } from '../../../../core/geometry/motion'
import { drift, motions, orientations, vectors } from './joints/motions'

const brick: BodySpec = {
  index: 0, id: 'brick', type: 'dynamic', mass: 3, inertia: symmetric(2, 3, 4, 0.3, -0.2, 0.1), centerOfMass: [0.1, -0.2, 0.3],
  position: [1, 2, 3], orientation: [0.5, 0.5, -0.5, 0.5], linearVelocity: [1, -2, 0.5], angularVelocity: [0.3, 2, -1],
}

describe('a rigid body', () => {
  it('has angular momentum I ω and recovers ω from it, for any orientation', () => {
    fc.assert(fc.property(motions, motion => {
      const body = rigidBody(brick)
      const back = angularVelocityOf(body, motion.rotation, angularMomentumOf(body, motion))
      expect(distance(back, motion.angularVelocity)).toBeLessThan(1e-14)
      const identity = multiply(worldInertia(body, motion.rotation), worldInverseInertia(body, motion.rotation))
      identity.forEach((value, i) => expect(value).toBeCloseTo(i % 4 === 0 ? 1 : 0, 13))
    }))
  })

  it('has the kinetic energy of its particles', () => {
    // Four equal particles; inertia and energy summed by hand.
    const points = [[1, 0, 0], [-1, 0.5, 0], [0, -0.5, 1], [0, 0, -1]] as const
    const m = 0.7
    const moment = (a: number, b: number) => points.reduce((s, p) => s + m * p[a]! * p[b]!, 0)
    const inertia = symmetric(
      moment(1, 1) + moment(2, 2), moment(0, 0) + moment(2, 2), moment(0, 0) + moment(1, 1), -moment(0, 1), -moment(0, 2), -moment(1, 2))
    const body = rigidBody({ ...brick, mass: 4 * m, inertia, centerOfMass: [0, 0, 0] })
    const { initial } = body
    const energy = points.reduce((sum, p) => {
      const r = initial.rotation
      const world = [0, 1, 2].map(i => initial.center[i]! + r[3 * i]! * p[0] + r[3 * i + 1]! * p[1] + r[3 * i + 2]! * p[2])
      const v = velocityAt(initial, world as unknown as [number, number, number])
      return sum + 0.5 * m * dot(v, v)
    }, 0)
    expect(kineticEnergy(body, initial)).toBeCloseTo(energy, 13)
  })

  it('refuses a dynamic body without mass or with a singular inertia, naming it', () => {
    expect(() => rigidBody({ ...brick, mass: 0 })).toThrow(/"brick".*mass 0/)
    expect(() => rigidBody({ ...brick, mass: NaN })).toThrow(/"brick"/)
    expect(() => rigidBody({ ...brick, inertia: symmetric(1, 1, 0, 0, 0, 0) })).toThrow(/"brick".*singular/)
  })

  it('does not move if it is fixed, whatever its given velocity', () => {
    const wall = rigidBody({ ...brick, type: 'fixed' })
    expect(wall.initial.velocity).toEqual([0, 0, 0])
    expect(wall.inverseMass).toBe(0)
    expect(kineticEnergy(wall, wall.initial)).toBe(0)
  })
})

describe('the state vector', () => {
  const bodies = [
    rigidBody({ ...brick, index: 0, id: 'a', type: 'fixed' }),
    rigidBody({ ...brick, index: 1, id: 'b' }),
    rigidBody({ ...brick, index: 2, id: 'c', type: 'kinematic' }),
  ]
  const layout = stateLayout(bodies, 2)

  it('has a slice for every body that moves, and further states behind them', () => {
    expect([...layout.offsets]).toEqual([-1, 0, BODY_STATE])
    expect(layout.length).toBe(2 * BODY_STATE + 2)
  })

  it('returns the motions written to it', () => {
    fc.assert(fc.property(orientations, vectors(3), vectors(3), (q, position, w) => {
      for (const i of [1, 2]) {
        const motion = rigidBody({ ...brick, position, orientation: q, angularVelocity: w }).initial
        const state = initialState(layout)
        writeMotion(layout, i, motion, state)
        const back = readMotion(layout, i, state)
        expect(distance(back.pose.position, position)).toBeLessThan(1e-14)
        expect(distance(back.center, motion.center)).toBe(0)
        expect(distance(back.velocity, motion.velocity)).toBe(0)
        expect(distance(back.angularVelocity, w)).toBeLessThan(1e-14)
      }
    }))
  })

  it('reads a rotation from an orientation off unit length, and renormalises', () => {
    const state = initialState(layout)
    const before = readMotion(layout, 1, state)
    for (let k = 3; k < 7; k++) state[k] = state[k]! * 1.01
    const read = readMotion(layout, 1, state)
    expect(distance(read.angularVelocity, before.angularVelocity)).toBeLessThan(1e-14)
    renormalize(layout, state)
    expect(Math.hypot(state[3]!, state[4]!, state[5]!, state[6]!)).toBeCloseTo(1, 15)
  })

  it('has the kinematic rates of the motion, and none before a body exists', () => {
    const state = initialState(layout)
    const now = readMotions(layout, state, [])
    const out = new Float64Array(layout.length)
    writeKinematics(layout, state, now, [true, true, false], out)
    const t = 1e-6
    const moved = drift(now[1]!, t)
    expect(length(sub([out[0]!, out[1]!, out[2]!], now[1]!.velocity))).toBe(0)
    moved.pose.orientation.forEach((value, k) => expect(state[3 + k]! + t * out[3 + k]!).toBeCloseTo(value, 11))
    expect(out.subarray(BODY_STATE, 2 * BODY_STATE).every(v => v === 0)).toBe(true)
  })

  it('has a positive scale for every component of every body', () => {
    const scales = new Float64Array(layout.length)
    writeScales(layout, 0.5, 2, scales)
    expect(scales.subarray(0, layout.bodyLength).every(v => v > 0 && v < Infinity)).toBe(true)
    expect(scales[10]).toBe(4 * (2 / 0.5))
  })
})
