import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rigidBody, type RigidBody } from '../../../core/dynamics/body'
import { forceElement, gravity } from '../../../core/dynamics/forces'
import { gearJoint, jointConstraint, WORLD_MOTION, type JointConstraint } from '../../../core/dynamics/joints'
import { diagonal } from '../../../core/math/matrix'
import type { Quat } from '../../../core/math/quaternion'
import { add, normalize, scale, sub, type Vec3 } from '../../../core/math/vector'
import { System } from './system'

const reference = '../shared/reference/iftomm/andrews-squeezer-ivp-testset.json'

describe('Andrews\' squeezing mechanism', () => {
  // Seven planar bodies, ten hinges that all turn about z, a spring and a motor: one degree of freedom, 50 rows of which 41 are independent.
  it.skipIf(!existsSync(reference))('reaches the published positions and velocities at 0.03 s to 10 digits', () => {
    const data = JSON.parse(readFileSync(reference, 'utf8')) as {
      parameters: Record<string, number>
      initial: { q: number[] }
      reference_at_t_end: { q: number[]; qd: number[] }
    }
    const p = data.parameters as Record<
      'm1' | 'm2' | 'm3' | 'm4' | 'm5' | 'm6' | 'm7' | 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'xa' | 'ya' | 'xb' | 'yb' | 'xc' | 'yc'
      | 'c0' | 'l0' | 'd' | 'da' | 'e' | 'ea' | 'rr' | 'ra' | 'ss' | 'sa' | 'sb' | 'sc' | 'sd' | 'ta' | 'tb' | 'u' | 'ua' | 'ub' | 'zf' | 'zt' | 'fa'
      | 'mom', number>
    const [beta, theta, gamma, phi, delta, omega, epsilon] = data.initial.q as [number, number, number, number, number, number, number]
    const at = (angle: number, x: number, y: number): Vec3 =>
      [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle), 0]
    const A: Vec3 = [p.xa, p.ya, 0]
    const B: Vec3 = [p.xb, p.yb, 0]
    const O: Vec3 = [0, 0, 0]
    const crankEnd = at(beta, p.rr, 0)
    const E = sub(crankEnd, at(beta + theta, p.d, 0))
    const end5 = add(A, at(delta, p.zt, 0))
    const end7 = add(A, at(epsilon, 0, -p.u))
    const centers: readonly (readonly [Vec3, number])[] = [
      [at(beta, p.ra, 0), beta],
      [sub(crankEnd, at(beta + theta, p.da, 0)), beta + theta],
      [add(B, at(gamma, p.sb, -p.sa)), gamma],
      [add(end5, at(phi + delta, 0, -(p.e - p.ea))), phi + delta],
      [add(A, at(delta, p.ta, p.tb)), delta],
      [add(end7, at(omega + epsilon, p.zf - p.fa, 0)), omega + epsilon],
      [add(A, at(epsilon, -p.ub, -p.ua)), epsilon],
    ]
    const masses = [p.m1, p.m2, p.m3, p.m4, p.m5, p.m6, p.m7]
    const inertias = [p.I1, p.I2, p.I3, p.I4, p.I5, p.I6, p.I7]
    const bodies = centers.map(([position, angle], index) => rigidBody({
      index, id: `K${index + 1}`, type: 'dynamic', mass: masses[index]!, position,
      inertia: diagonal(inertias[index]!, inertias[index]!, inertias[index]!), orientation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
    }))
    const hinge = (id: string, bodyA: number, bodyB: number, anchor: Vec3): JointConstraint => jointConstraint({
      id, type: 'hinge', bodyA, bodyB, anchor, axis: [0, 0, 1],
      initialA: bodies[bodyA]!.initial, initialB: bodyB < 0 ? WORLD_MOTION : bodies[bodyB]!.initial,
    })
    const joints = [
      hinge('O', 0, -1, O), hinge('crank', 1, 0, crankEnd), hinge('B', 2, -1, B), hinge('A5', 4, -1, A), hinge('A7', 6, -1, A),
      hinge('K4-K5', 3, 4, end5), hinge('K6-K7', 5, 6, end7), hinge('E3', 2, 1, E), hinge('E4', 3, 1, E), hinge('E6', 5, 1, E),
    ]
    const D = add(B, at(gamma, p.sd, -p.sc))
    // The spring's point in the body frame of K3, whose origin is its centre of mass.
    const onK3 = at(-gamma, ...(sub(D, centers[2]![0]).slice(0, 2) as [number, number]))
    const forces = [
      forceElement({ id: 'motor', type: 'torque', body: 0, torque: [0, 0, p.mom], frame: 'world' }, bodies),
      forceElement({
        id: 'spring', type: 'spring', bodyA: 2, pointA: onK3, bodyB: -1, pointB: [p.xc, p.yc, 0], stiffness: p.c0, damping: 0, restLength: p.l0,
      }, bodies),
    ]
    const system = new System(bodies, joints, forces, { tolerance: 1e-12, length: 0.01, speed: 1 })
    expect(system.jointError).toBeLessThan(1e-17)
    // In pieces, so that no angle turns by more than half a turn between looks.
    const { energy } = system
    const turned = [0, 0, 0, 0, 0, 0, 0]
    const absolute = [0, 1, 2, 3, 4, 5, 6]
    const pieces = 60
    for (let n = 1; n <= pieces; n++) {
      const { motions } = system.advance((0.03 * n) / pieces)
      for (const i of absolute) {
        const { rotation } = motions[i]!
        const angle = Math.atan2(rotation[3], rotation[0])
        const from = centers[i]![1]
        const near = from + turned[i]!
        turned[i] = angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI)) - from
      }
    }
    const angles = centers.map(([, start], i) => start + turned[i]!)
    const q = [angles[0]!, angles[1]! - angles[0]!, angles[2]!, angles[3]! - angles[4]!, angles[4]!, angles[5]! - angles[6]!, angles[6]!]
    const rates = system.motions.map(motion => motion.angularVelocity[2])
    const qd = [rates[0]!, rates[1]! - rates[0]!, rates[2]!, rates[3]! - rates[4]!, rates[4]!, rates[5]! - rates[6]!, rates[6]!]
    // The motor's work is mom × β. The published state violates this balance by 1.5e-10, which is how far it can be trusted.
    const work = p.mom * turned[0]!
    expect(Math.abs(system.energy - work - energy) / energy).toBeLessThan(1e-12)
    data.reference_at_t_end.q.forEach((value, i) => expect(Math.abs(q[i]! - value)).toBeLessThan(1e-10 * Math.max(1, Math.abs(value))))
    const fastest = Math.max(...data.reference_at_t_end.qd.map(Math.abs))
    data.reference_at_t_end.qd.forEach((value, i) => expect(Math.abs(qd[i]! - value) / fastest).toBeLessThan(1e-9))
    expect(system.jointError).toBeLessThan(1e-16)
  })
})

function bar(index: number, from: Vec3, to: Vec3, mass = 1): RigidBody {
  const middle = scale(add(from, to), 0.5)
  const length = Math.hypot(...sub(to, from))
  const [x, y, z] = normalize(sub(to, from))
  // Takes the x axis to the bar; half-way vector.
  const half = normalize([1 + x, y, z])
  const orientation: Quat = [0, -half[2], half[1], half[0]]
  return rigidBody({
    index, id: `bar${index}`, type: 'dynamic', mass, inertia: diagonal(0.01 * mass, (mass * length * length) / 12, (mass * length * length) / 12),
    position: middle, orientation,
  })
}

const hingeOf = (id: string, bodies: readonly RigidBody[], bodyA: number, bodyB: number, anchor: Vec3, axis: Vec3): JointConstraint => jointConstraint({
  id, type: 'hinge', bodyA, bodyB, anchor, axis,
  initialA: bodies[bodyA]!.initial, initialB: bodyB < 0 ? WORLD_MOTION : bodies[bodyB]!.initial,
})

describe('closed loops', () => {
  it('a four-bar linkage, redundant in space, swings with its energy kept and its loop closed', () => {
    const points: Vec3[] = [[0, 0, 0], [0, 0, 1], [2, 0, 1.5], [2.5, 0, 0]]
    const bodies = [0, 1, 2].map(i => bar(i, points[i]!, points[i + 1]!))
    const joints = [
      hingeOf('a', bodies, 0, -1, points[0]!, [0, 1, 0]), hingeOf('b', bodies, 1, 0, points[1]!, [0, 1, 0]),
      hingeOf('c', bodies, 2, 1, points[2]!, [0, 1, 0]), hingeOf('d', bodies, 2, -1, points[3]!, [0, 1, 0]),
    ]
    const system = new System(bodies, joints, [gravity([0, 0, -9.81], bodies)], { tolerance: 1e-11, length: 1, speed: 5 })
    const { energy } = system
    for (let t = 1; t <= 10; t++) {
      system.advance(t)
      expect(Math.abs(system.energy - energy)).toBeLessThan(1e-8 * 3 * 9.81)
      expect(system.jointError).toBeLessThan(1e-14)
    }
  })

  it('Bricard\'s six bars, movable only by the special directions of their hinges, keep moving', () => {
    // Along the edges of a cube: six hinges, each turning about an axis that is square to the two bars it joins.
    const points: Vec3[] = [[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]]
    const axes: Vec3[] = [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]
    const bodies = [0, 1, 2, 3, 4].map(i => bar(i, points[i]!, points[i + 1]!))
    // Bar i leads from point i to point i + 1; the sixth is the ground.
    const hinges: readonly [number, number, number][] = [[0, -1, 0], [1, 0, 1], [2, 1, 2], [3, 2, 3], [4, 3, 4], [4, -1, 5]]
    const joints = hinges.map(([a, b, at], k) => hingeOf(`j${k}`, bodies, a, b, points[at]!, axes[at]!))
    const system = new System(bodies, joints, [gravity([0, -9.81, 0], bodies)], { tolerance: 1e-11, length: 1, speed: 5 })
    const { energy } = system
    let travelled = 0
    for (let t = 0.5; t <= 10; t += 0.5) {
      system.advance(t)
      travelled = Math.max(travelled, Math.abs(system.coordinate(0)))
      expect(Math.abs(system.energy - energy)).toBeLessThan(1e-8 * 5 * 9.81)
      expect(system.jointError).toBeLessThan(1e-12)
    }
    expect(travelled).toBeGreaterThan(0.5)
  })

  it('a gear pair accelerates as its reduced inertia says', () => {
    const I1 = 0.3
    const I2 = 0.05
    const ratio = -0.5
    const wheel = (index: number, moment: number, x: number): RigidBody => rigidBody({
      index, id: `w${index}`, type: 'dynamic', mass: 1, inertia: diagonal(moment, moment, moment), position: [x, 0, 0], orientation: [0, 0, 0, 1],
    })
    const bodies = [wheel(0, I1, 0), wheel(1, I2, 1)]
    const first = hingeOf('a', bodies, 0, -1, [0, 0, 0], [0, 0, 1])
    const second = hingeOf('b', bodies, 1, -1, [1, 0, 0], [0, 0, 1])
    // position of A = ratio × position of B: the second wheel turns twice as fast, the other way.
    const gear = gearJoint({ id: 'g', type: 'gear', jointA: first, jointB: second, ratio, fixedMotion: () => null })
    const torque = forceElement({ id: 't', type: 'torque', body: 0, torque: [0, 0, 2], frame: 'world' }, bodies)
    const system = new System(bodies, [first, second, gear], [torque], { tolerance: 1e-12, length: 1, speed: 1 })
    const acceleration = 2 / (I1 + I2 / (ratio * ratio))
    const t = 3
    system.advance(t)
    expect(system.motions[0]!.angularVelocity[2]).toBeCloseTo(acceleration * t, 11)
    expect(system.motions[1]!.angularVelocity[2]).toBeCloseTo((acceleration * t) / ratio, 10)
    expect(system.jointError).toBeLessThan(1e-12)
  })

  it('a universal joint drives its shaft with tan β₁ = cos α tan β₂', () => {
    // Two shafts at an angle: the driven speed is ω cos α/(1 − sin²α cos²β).
    const alpha = 0.5
    const drive = rigidBody({
      index: 0, id: 'in', type: 'dynamic', mass: 1, inertia: diagonal(1e9, 1e9, 1e9), position: [0, 0, 0], orientation: [0, 0, 0, 1],
      angularVelocity: [0, 0, 2],
    })
    const along: Vec3 = [Math.sin(alpha), 0, Math.cos(alpha)]
    const driven = rigidBody({
      index: 1, id: 'out', type: 'dynamic', mass: 1, inertia: diagonal(1, 1, 1), position: [0, 0, 0],
      orientation: [0, Math.sin(alpha / 2), 0, Math.cos(alpha / 2)],
      angularVelocity: scale(along, 2 / Math.cos(alpha)),
    })
    const bodies = [drive, driven]
    const joints = [
      hingeOf('in', bodies, 0, -1, [0, 0, 0], [0, 0, 1]), hingeOf('out', bodies, 1, -1, [0, 0, 0], along),
      // At the start the driver's arm lies in the plane of both shafts, the driven one's across it.
      jointConstraint({
        id: 'u', type: 'universal', bodyA: 0, bodyB: 1, initialA: drive.initial, initialB: driven.initial,
        anchor: [0, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0],
      }),
    ]
    const system = new System(bodies, joints, [], { tolerance: 1e-12, length: 1, speed: 2 })
    for (const t of [0.4, 1.1, 3]) {
      system.advance(t)
      const angle = system.motions.map(m => Math.atan2(m.rotation[3], m.rotation[0]))[0]!
      const speed = (2 * Math.cos(alpha)) / (1 - (Math.sin(alpha) * Math.cos(angle)) ** 2)
      expect(Math.hypot(...system.motions[1]!.angularVelocity)).toBeCloseTo(speed, 7)
    }
  })
})
