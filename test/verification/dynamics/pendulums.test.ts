import { describe, expect, it } from 'vitest'
import { rigidBody, type BodySpec, type RigidBody } from '../../../core/dynamics/body'
import { forceElement, gravity } from '../../../core/dynamics/forces'
import { jointConstraint, WORLD_MOTION } from '../../../core/dynamics/joints'
import { curveOf } from '../../../core/dynamics/joints/curve'
import { diagonal } from '../../../core/math/matrix'
import { normalizeQuaternion, type Quat } from '../../../core/math/quaternion'
import { cross, distance, length, scale, type Vec3 } from '../../../core/math/vector'
import { completeK } from './elliptic'
import { System } from './system'

const g = 9.81

/** About a unit axis. */
function turn(axis: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2)
  return normalizeQuaternion([axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)])
}

function body(spec: Partial<BodySpec> & { index: number; position: Vec3 }): RigidBody {
  return rigidBody({ id: `b${spec.index}`, type: 'dynamic', mass: 1, inertia: diagonal(0.1, 0.2, 0.3), orientation: [0, 0, 0, 1], ...spec })
}

const world = { bodyB: -1, initialB: WORLD_MOTION }

describe('a physical pendulum on a hinge', () => {
  it.each([0.1, 1, 2.5, 3.1])('let go at %d rad passes the lowest point after a quarter of the elliptic period', amplitude => {
    const m = 2
    const l = 0.7
    const J = 0.3 + m * l * l
    const bob = body({
      index: 0, mass: m, inertia: diagonal(0.9, 0.3, 0.5), position: [l * Math.sin(amplitude), 0, -l * Math.cos(amplitude)],
      orientation: turn([0, -1, 0], amplitude),
    })
    const hinge = jointConstraint({ id: 'h', type: 'hinge', bodyA: 0, initialA: bob.initial, ...world, anchor: [0, 0, 0], axis: [0, 1, 0] })
    const system = new System([bob], [hinge], [gravity([0, 0, -g], [bob])], { tolerance: 1e-13, length: 1, speed: 3 })
    const rate = Math.sqrt((m * g * l) / J)
    const period = (4 / rate) * completeK(Math.sin(amplitude / 2))
    const { energy } = system
    system.advance(period / 4)
    // Speed at the bottom turns an angle into a time.
    const speed = length(system.motions[0]!.angularVelocity)
    expect(Math.abs(system.coordinate(0) - amplitude) / speed / period).toBeLessThan(1e-9)
    system.advance(1.25 * period)
    expect(Math.abs(system.coordinate(0) - amplitude) / speed / period).toBeLessThan(1e-8)
    expect(Math.abs(system.energy - energy)).toBeLessThan(1e-9 * m * g * l)
    expect(system.jointError).toBeLessThan(1e-15)
  })
})

describe('a conical pendulum', () => {
  it.each(['ball', 'distance'] as const)('on a %s joint circles with Ω² = m g l/((I₁ − I₃) cos θ) at constant height', type => {
    const theta = 0.6
    const l = 1.3
    // On a ball joint the bob turns with its rod, so its moments count; a distance joint leaves its rotation alone.
    const [across, along] = type === 'ball' ? [0.4, 0.05] : [0, 0]
    const rate = Math.sqrt((g * l) / ((across + l * l - along) * Math.cos(theta)))
    const position: Vec3 = [l * Math.sin(theta), 0, -l * Math.cos(theta)]
    const bob = body({
      index: 0, position, linearVelocity: cross([0, 0, rate], position), orientation: turn([0, -1, 0], theta),
      ...(type === 'ball' ? { angularVelocity: [0, 0, rate] as Vec3, inertia: diagonal(across, across, along) } : {}),
    })
    const joined = { id: 'j', bodyA: 0, initialA: bob.initial, ...world }
    const joint = jointConstraint(type === 'ball' ? { ...joined, type, anchor: [0, 0, 0] } : { ...joined, type, anchor: position, anchorB: [0, 0, 0] })
    const system = new System([bob], [joint], [gravity([0, 0, -g], [bob])], { tolerance: 1e-12, length: 1, speed: 3 })
    if (type === 'distance') expect(system.multipliers()[0]).toBeCloseTo(-g / Math.cos(theta), 11)
    const t = 5
    system.advance(t)
    const { center } = system.motions[0]!
    expect(distance(center, [l * Math.sin(theta) * Math.cos(rate * t), l * Math.sin(theta) * Math.sin(rate * t), -l * Math.cos(theta)])).toBeLessThan(1e-9)
  })
})

describe('a heavy symmetric top', () => {
  it('precesses steadily at Ω = [I₃ω₃ − √((I₃ω₃)² − 4 I₁ M g l cos θ)]/(2 I₁ cos θ)', () => {
    const m = 0.5
    const l = 0.08
    const I3 = 4e-4
    const about = 5e-4 // across the axis, about the centre of mass
    const I1 = about + m * l * l
    const theta = 0.5
    const spin = 300
    const H = I3 * spin
    const precession = (H - Math.sqrt(H * H - 4 * I1 * m * g * l * Math.cos(theta))) / (2 * I1 * Math.cos(theta))
    const axis: Vec3 = [Math.sin(theta), 0, Math.cos(theta)]
    const omega: Vec3 = [axis[0] * (spin - precession * Math.cos(theta)), 0, precession + axis[2] * (spin - precession * Math.cos(theta))]
    const position = scale(axis, l)
    const top = body({
      index: 0, mass: m, inertia: diagonal(about, about, I3), position, orientation: turn([0, 1, 0], theta),
      angularVelocity: omega, linearVelocity: cross(omega, position),
    })
    const pivot = jointConstraint({ id: 'pivot', type: 'ball', bodyA: 0, initialA: top.initial, ...world, anchor: [0, 0, 0] })
    const system = new System([top], [pivot], [gravity([0, 0, -g], [top])], { tolerance: 1e-13, length: 0.1, speed: 1 })
    for (const t of [0.1, 0.5, 1]) {
      const { center } = system.advance(t).motions[0]!
      const azimuth = precession * t
      const expected: Vec3 = [l * Math.sin(theta) * Math.cos(azimuth), l * Math.sin(theta) * Math.sin(azimuth), l * Math.cos(theta)]
      expect(distance(center, expected) / l).toBeLessThan(1e-8)
    }
  })
})

describe('a double pendulum', () => {
  it('keeps its energy to 1e-8 over 10 s of chaos, joints closed to rounding', () => {
    const upper = body({ index: 0, position: [0.5, 0, 0] })
    const lower = body({ index: 1, position: [1.5, 0, 0] })
    const joints = [
      jointConstraint({ id: 'a', type: 'hinge', bodyA: 0, initialA: upper.initial, ...world, anchor: [0, 0, 0], axis: [0, 1, 0] }),
      jointConstraint({
        id: 'b', type: 'hinge', bodyA: 1, bodyB: 0, initialA: lower.initial, initialB: upper.initial, anchor: [1, 0, 0], axis: [0, 1, 0],
      }),
    ]
    const bodies = [upper, lower]
    const system = new System(bodies, joints, [gravity([0, 0, -g], bodies)], { tolerance: 1e-11, length: 1, speed: 5 })
    const { energy } = system
    for (let t = 1; t <= 10; t++) {
      system.advance(t)
      expect(Math.abs(system.energy - energy)).toBeLessThan(1e-8 * 2 * g)
      expect(system.jointError).toBeLessThan(4e-15)
    }
  })

  it('swings with the frequencies of its small oscillations', () => {
    // Two equal point masses on rods of length l: ω² = (2 ± √2) g/l. The slow mode has θ₂ = √2 θ₁.
    const l = 1
    const small = 1e-5
    const at = (theta1: number, theta2: number): [Vec3, Vec3] => {
      const a: Vec3 = [l * Math.sin(theta1), 0, -l * Math.cos(theta1)]
      return [a, [a[0] + l * Math.sin(theta2), 0, a[2] - l * Math.cos(theta2)]]
    }
    const [a, b] = at(small, Math.SQRT2 * small)
    const masses = [body({ index: 0, position: a }), body({ index: 1, position: b })]
    const joints = [
      jointConstraint({ id: 'a', type: 'distance', bodyA: 0, initialA: masses[0]!.initial, ...world, anchor: a, anchorB: [0, 0, 0] }),
      jointConstraint({
        id: 'b', type: 'distance', bodyA: 1, bodyB: 0, initialA: masses[1]!.initial, initialB: masses[0]!.initial, anchor: b, anchorB: a,
      }),
    ]
    const system = new System(masses, joints, [gravity([0, 0, -g], masses)], { tolerance: 1e-13, length: 1, speed: 1 })
    const rate = Math.sqrt(((2 - Math.SQRT2) * g) / l)
    const t = 20.25 * 2 * Math.PI / rate
    const { motions } = system.advance(t)
    // A quarter period after whole ones every angle passes zero at speed small · rate; nonlinearity is O(small²).
    expect(Math.abs(motions[0]!.center[0]) / small).toBeLessThan(1e-6)
    expect(Math.abs(motions[1]!.center[0]) / small).toBeLessThan(1e-6)
  })
})

describe('springs', () => {
  it('a mass on a spring swings with √(k/m), damped as e^(−ct/2m)', () => {
    const k = 50
    const c = 1.5
    const m = 2
    const mass = body({ index: 0, mass: m, position: [0, 0, -1.2] })
    const spring = forceElement({
      id: 's', type: 'spring', bodyA: 0, pointA: [0, 0, 0], bodyB: -1, pointB: [0, 0, 0], stiffness: k, damping: c, restLength: 1,
    }, [mass])
    const system = new System([mass], [], [spring], { tolerance: 1e-12, length: 0.1, speed: 1 })
    const decay = c / (2 * m)
    const rate = Math.sqrt(k / m - decay * decay)
    for (const t of [0.3, 2, 5]) {
      const x = 0.2 * Math.exp(-decay * t) * (Math.cos(rate * t) + (decay / rate) * Math.sin(rate * t))
      expect(system.advance(t).motions[0]!.center[2]).toBeCloseTo(-1 - x, 11)
    }
  })

  it('a planet under inverse-square attraction comes back after Kepler\'s period', () => {
    const a = 1.5
    const e = 0.6
    const strength = 4
    const planet = body({ index: 0, position: [a * (1 - e), 0, 0], linearVelocity: [0, Math.sqrt((strength / a) * ((1 + e) / (1 - e))), 0] })
    const sun = forceElement({ id: 'sun', type: 'attractor', body: -1, center: [0, 0, 0], strength, exponent: 2, softening: 0 }, [planet])
    const system = new System([planet], [], [sun], { tolerance: 1e-13, length: 1, speed: 1 })
    const period = 2 * Math.PI * Math.sqrt((a * a * a) / strength)
    const start = planet.initial.center
    const halfway = system.advance(period / 2).motions[0]!.center
    expect(distance(halfway, [-a * (1 + e), 0, 0])).toBeLessThan(1e-10)
    expect(distance(system.advance(period).motions[0]!.center, start)).toBeLessThan(1e-9)
  })

  it('a body falling through air nears its terminal speed as tanh', () => {
    const m = 3
    const q = 0.4
    const body0 = body({ index: 0, mass: m, position: [0, 0, 0] })
    const air = forceElement({ id: 'air', type: 'drag', linear: 0, quadratic: q, angular: 0 }, [body0])
    const system = new System([body0], [], [gravity([0, 0, -g], [body0]), air], { tolerance: 1e-12, length: 1, speed: 5 })
    const terminal = Math.sqrt((m * g) / q)
    for (const t of [0.5, 2, 10]) {
      expect(system.advance(t).motions[0]!.velocity[2] / terminal).toBeCloseTo(-Math.tanh((g * t) / terminal), 10)
    }
  })
})

describe('a bead on a wire', () => {
  it('slides down a helix like down an incline of its slope', () => {
    const radius = 0.5
    const pitch = -0.8
    const helix = { type: 'helix', center: [0, 0, 0], axis: [0, 0, 1], radius, pitch } as const
    const start = curveOf(helix).at(0).position
    const bead = body({ index: 0, position: start })
    const wire = jointConstraint({ id: 'w', type: 'pointOnCurve', bodyA: 0, initialA: bead.initial, ...world, anchor: start, curve: helix })
    const system = new System([bead], [wire], [gravity([0, 0, -g], [bead])], { tolerance: 1e-12, length: 1, speed: 3 })
    const rise = pitch / (2 * Math.PI)
    const sine = Math.abs(rise) / Math.hypot(radius, rise)
    const t = 4
    system.advance(t)
    expect(system.coordinate(0)).toBeCloseTo(0.5 * g * sine * t * t, 9)
    const { center } = system.motions[0]!
    expect(Math.hypot(center[0], center[1])).toBeCloseTo(radius, 13)
  })

  it('swings on a circle as a pendulum does', () => {
    const amplitude = 2
    const start: Vec3 = [Math.sin(amplitude), 0, -Math.cos(amplitude)]
    const bead = body({ index: 0, position: start })
    const wire = jointConstraint({
      id: 'w', type: 'pointOnCurve', bodyA: 0, initialA: bead.initial, ...world, anchor: start,
      curve: { type: 'circle', center: [0, 0, 0], normal: [0, 1, 0], radius: 1 },
    })
    const system = new System([bead], [wire], [gravity([0, 0, -g], [bead])], { tolerance: 1e-12, length: 1, speed: 3 })
    system.advance(completeK(Math.sin(amplitude / 2)) / Math.sqrt(g))
    expect(distance(system.motions[0]!.center, [0, 0, -1])).toBeLessThan(1e-9)
    expect(Math.abs(system.coordinate(0))).toBeCloseTo(amplitude, 9)
  })
})
