import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateJoint, gearJoint, jointConstraint, jointEquations, WORLD_MOTION, type JointConstraint } from '../../../../../core/dynamics/joints'
import { curveOf, type CurveSpec } from '../../../../../core/dynamics/joints/curve'
import { arcLength, closestOfAll } from '../../../../../core/dynamics/joints/parametric-curve'
import type { BodyMotion } from '../../../../../core/geometry/motion'
import { addScaled, cross, distance, dot, length, normalize, scale, sub, type Vec3 } from '../../../../../core/math/vector'
import { applyRow, derivatives, directions, drift, motions, vectors } from './motions'

const close = (value: number, expected: number, tolerance: number) =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))

const radii = fc.double({ min: 0.8, max: 3, noNaN: true })

const curves: Record<CurveSpec['type'], fc.Arbitrary<CurveSpec>> = {
  line: fc.record({ type: fc.constant('line' as const), point: vectors(2), direction: directions }),
  circle: fc.record({ type: fc.constant('circle' as const), center: vectors(2), normal: directions, radius: radii }),
  ellipse: fc.tuple(vectors(2), directions, directions, radii, radii)
    .filter(([, a, b]) => length(cross(a, b)) > 0.1)
    .map(([center, a, b, p, q]) => {
      const first = normalize(a)
      const second = normalize(cross(cross(first, b), first))
      return { type: 'ellipse', center, semiAxisA: scale(first, p), semiAxisB: scale(second, q) }
    }),
  helix: fc.record({
    type: fc.constant('helix' as const), center: vectors(2), axis: directions, radius: radii, pitch: fc.double({ min: -2, max: 2, noNaN: true }),
  }),
  spline: fc.tuple(vectors(1), fc.boolean()).map(([shift, closed]) => ({
    type: 'spline', closed,
    points: [[0, 0, 0], [2, 0.3, 0], [3, 2, 1], [1, 3, 1.5], [-1, 1.5, 0.5]].map(p => addScaled(p as unknown as Vec3, shift, 0.2)),
  })),
  formula: fc.tuple(vectors(1), fc.double({ min: -3, max: 3, noNaN: true }), radii).map(([center, angle, size]) => ({
    type: 'formula', center, orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
    x: `${size}*cos(u)`, y: `${size}*sin(u) + sqrt(9 + u)`, z: `0.2*u^2/(1 + 0.1*u)`, u: [-1, 2.5],
  })),
}
const TYPES = Object.keys(curves) as CurveSpec['type'][]

describe.each(TYPES)('a %s', type => {
  it('has the derivatives of its position', () => {
    fc.assert(fc.property(curves[type], fc.double({ min: 0.1, max: 1.4, noNaN: true }), (spec, u) => {
      const curve = curveOf(spec)
      for (const k of [0, 1, 2] as const) {
        const position = derivatives(t => curve.at(u + t).position[k])
        close(curve.at(u).first[k], position.first, 1e-8)
        close(curve.at(u).second[k], position.second, 1e-6)
        close(curve.at(u).third[k], derivatives(t => curve.at(u + t).first[k]).second, 1e-6)
      }
    }))
  })

  it('holds a bead with the Jacobian and bias of its equation, on the wire and off it', () => {
    const parameters = fc.double({ min: 0.5, max: 1.4, noNaN: true })
    fc.assert(fc.property(curves[type], motions, motions, parameters, vectors(0.15), (spec, a, b, u, off) => {
      const anchor = addScaled(curveOf(spec).at(u).position, off, 1)
      // The bead must start nearest to its own branch; otherwise two branches compete.
      fc.pre(Math.abs(closestOfAll(curveOf(spec), anchor) - u) < 0.5 || type === 'circle')
      const joint = jointConstraint({ id: 'bead', type: 'pointOnCurve', bodyA: 0, bodyB: 1, initialA: a, initialB: b, anchor, curve: spec })
      const errors = (t: number) => {
        const out = jointEquations(joint)
        joint.evaluate(drift(a, t), drift(b, t), out)
        return out
      }
      const { error, jacobian, bias } = errors(0)
      expect(Math.hypot(error[0]!, error[1]!)).toBeLessThan(length(off) + 1e-12)
      for (const row of [0, 1]) {
        const { first, second } = derivatives(t => errors(t).error[row]!)
        close(applyRow(jacobian, row, a, b), first, 1e-7)
        close(bias[row]!, second, 1e-6)
      }
      const at = joint.coordinate(0, a, b, 0)
      const { first, second } = derivatives(t => joint.coordinate(0, drift(a, t), drift(b, t), 0).position)
      close(at.velocity, first, 1e-6)
      close(applyRow(at.jacobian, 0, a, b), at.velocity, 1e-11)
      close(at.bias, second, 1e-6)
    }))
  })
})

describe('curves', () => {
  it('an ellipse has the circumference of the elliptic integral', () => {
    const curve = curveOf({ type: 'ellipse', center: [0, 0, 0], semiAxisA: [2, 0, 0], semiAxisB: [0, 1, 0] })
    // 8 E(3/4) = 9.688448220547676
    close(arcLength(curve, 0, 2 * Math.PI), 9.688448220547676, 1e-13)
  })

  it('a helix of radius 1 and pitch 2π is √2 times as long as its angle', () => {
    const curve = curveOf({ type: 'helix', center: [0, 0, 0], axis: [0, 0, 1], radius: 1, pitch: 2 * Math.PI })
    close(arcLength(curve, 0, -7), -7 * Math.SQRT2, 1e-14)
    const u = closestOfAll(curve, [curve.at(20).position[0] * 1.1, curve.at(20).position[1] * 1.1, curve.at(20).position[2]])
    close(u, 20, 0.01)
  })

  it('a natural spline passes its points with continuous curvature and none at its ends', () => {
    const points: Vec3[] = [[0, 0, 0], [1, 2, 0], [3, 2, 1], [4, 0, 1]]
    const curve = curveOf({ type: 'spline', points, closed: false })
    let u = 0
    points.forEach((point, i) => {
      expect(distance(curve.at(u).position, point)).toBeLessThan(1e-13)
      const before = curve.at(u - 1e-9)
      const after = curve.at(u + 1e-9)
      expect(length(sub(before.first, after.first))).toBeLessThan(1e-7)
      expect(length(sub(before.second, after.second))).toBeLessThan(1e-7)
      if (i + 1 < points.length) u += distance(point, points[i + 1]!)
    })
    expect(length(curve.at(0).second)).toBeLessThan(1e-13)
  })

  it('a closed spline closes with continuous curvature', () => {
    const points: Vec3[] = [[1, 0, 0], [0, 1, 0.2], [-1.2, 0, 0], [0, -1, 0.1]]
    const curve = curveOf({ type: 'spline', points, closed: true })
    const total = points.reduce((sum, p, i) => sum + distance(p, points[(i + 1) % 4]!), 0)
    const start = curve.at(1e-10)
    const end = curve.at(total - 1e-10)
    expect(distance(start.position, end.position)).toBeLessThan(1e-9)
    expect(length(sub(start.first, end.first))).toBeLessThan(1e-8)
    expect(length(sub(start.second, end.second))).toBeLessThan(1e-8)
    let u = 0
    points.forEach((p, i) => {
      expect(distance(curve.at(u).position, p)).toBeLessThan(1e-13)
      u += distance(p, points[(i + 1) % 4]!)
    })
  })

  it('the closest point is the closest of all', () => {
    fc.assert(fc.property(curves.ellipse, fc.double({ min: 0, max: 6, noNaN: true }), vectors(0.2), (spec, u, off) => {
      const curve = curveOf(spec)
      const point = addScaled(curve.at(u).position, off, 1)
      const best = distance(point, curve.at(closestOfAll(curve, point)).position)
      for (let i = 0; i < 200; i++) expect(distance(point, curve.at(i * Math.PI / 100).position)).toBeGreaterThan(best - 1e-12)
      const at = curve.at(closestOfAll(curve, point))
      expect(Math.abs(dot(sub(point, at.position), at.first))).toBeLessThan(1e-13)
    }))
  })
})

describe('a gear', () => {
  const hinge = (id: string, body: number, initial: BodyMotion, axis: Vec3): JointConstraint => jointConstraint({
    id, type: 'hinge', bodyA: body, bodyB: -1, initialA: initial, initialB: WORLD_MOTION, anchor: initial.center, axis,
  })

  /** Rate and velocity-product term of the error, on all bodies. */
  function holdsItsDerivatives(make: () => JointConstraint, at: readonly BodyMotion[]): void {
    const gear = make()
    const out = jointEquations(gear)
    const moved = (t: number) => (body: number): BodyMotion => body < 0 ? WORLD_MOTION : drift(at[body]!, t)
    evaluateJoint(gear, moved(0), out)
    const { bias } = out
    const { first, second } = derivatives(t => {
      const there = jointEquations(gear)
      evaluateJoint(make(), moved(t), there)
      return there.error[0]!
    })
    const pair = (row: Float64Array, bodyA: number, bodyB: number): number => applyRow(row, 0, moved(0)(bodyA), moved(0)(bodyB))
    close(pair(out.jacobian, gear.bodyA, gear.bodyB) + pair(out.second!.jacobian, gear.second!.bodyA, gear.second!.bodyB), first, 1e-7)
    close(bias[0]!, second, 1e-6)
  }

  it('has the Jacobian and bias of its equation', () => {
    const ratios = fc.double({ min: 0.3, max: 4, noNaN: true })
    fc.assert(fc.property(motions, motions, directions, directions, ratios, (a, b, axisA, axisB, ratio) => {
      const make = () => gearJoint({
        id: 'g', type: 'gear', jointA: hinge('a', 0, a, axisA), jointB: hinge('b', 1, b, axisB), ratio: -ratio,
      })
      holdsItsDerivatives(make, [a, b])
    }))
  })

  it('has them between joints of any four moving bodies', () => {
    const ratios = fc.double({ min: 0.3, max: 4, noNaN: true })
    fc.assert(fc.property(motions, motions, motions, motions, directions, directions, ratios, (a, b, c, d, axisA, axisB, ratio) => {
      const between = (id: string, type: 'hinge' | 'slider', bodyA: number, initialA: BodyMotion, initialB: BodyMotion, axis: Vec3): JointConstraint =>
        jointConstraint({ id, type, bodyA, bodyB: bodyA + 1, initialA, initialB, anchor: initialA.center, axis })
      holdsItsDerivatives(() => gearJoint({
        id: 'g', type: 'gear', jointA: between('a', 'hinge', 0, a, b, axisA), jointB: between('b', 'slider', 2, c, d, axisB), ratio,
      }), [a, b, c, d])
    }))
  })

  it('acts on a common frame of both joints with the sum of both', () => {
    fc.assert(fc.property(motions, motions, motions, directions, directions, (a, b, frame, axisA, axisB) => {
      const on = (id: string, bodyA: number, initialA: BodyMotion, axis: Vec3): JointConstraint =>
        jointConstraint({ id, type: 'hinge', bodyA, bodyB: 2, initialA, initialB: frame, anchor: initialA.center, axis })
      holdsItsDerivatives(() => gearJoint({ id: 'g', type: 'gear', jointA: on('a', 0, a, axisA), jointB: on('b', 1, b, axisB), ratio: -2 }), [a, b, frame])
    }))
  })

  it('reads zero when the wheels have turned in its ratio, after any number of turns', () => {
    const wheel = (spin: number): BodyMotion => ({ ...WORLD_MOTION, angularVelocity: [0, 0, spin] })
    const gear = gearJoint({
      id: 'g', type: 'gear', jointA: hinge('a', 0, WORLD_MOTION, [0, 0, 1]), jointB: hinge('b', 1, WORLD_MOTION, [0, 0, 1]),
      ratio: -2,
    })
    const out = jointEquations(gear)
    for (let t = 0; t < 40; t += 0.5) {
      evaluateJoint(gear, body => body < 0 ? WORLD_MOTION : drift(wheel(body === 0 ? 4 : -2), t), out)
      expect(Math.abs(out.error[0]!)).toBeLessThan(1e-12)
    }
    expect([...out.jacobian]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1].map(v => expect.closeTo(v, 14)))
    expect([...out.second!.jacobian]).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, -2].map(v => expect.closeTo(v, 14)))
  })

  it('refuses joints that it cannot couple, with its id', () => {
    const a = hinge('a', 0, WORLD_MOTION, [0, 0, 1])
    const b = hinge('b', 1, WORLD_MOTION, [0, 0, 1])
    expect(() => gearJoint({ id: 'g', type: 'gear', jointA: a, jointB: b, ratio: 0 })).toThrow(/ratio is 0/)
    const ball = jointConstraint({ id: 'ball', type: 'ball', bodyA: 1, bodyB: -1, initialA: WORLD_MOTION, initialB: WORLD_MOTION, anchor: [0, 0, 0] })
    expect(() => gearJoint({ id: 'g', type: 'gear', jointA: a, jointB: ball, ratio: 1 })).toThrow(/"ball" has no coordinate/)
  })
})
