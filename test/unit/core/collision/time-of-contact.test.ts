import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { solidAt } from '../../../../core/analysis/convex-solid'
import { signedDistance } from '../../../../core/analysis/separation'
import { createCollider } from '../../../../core/collision/collider'
import { AT_REST, type MovingBody } from '../../../../core/collision/moving-body'
import { timeOfContact } from '../../../../core/collision/time-of-contact'
import { box } from '../../../../core/geometry/box'
import { HalfSpace } from '../../../../core/geometry/half-space'
import type { BodyMotion } from '../../../../core/geometry/motion'
import type { Primitive } from '../../../../core/geometry/shape'
import { Sphere } from '../../../../core/geometry/sphere'
import { IDENTITY_POSE, type Pose } from '../../../../core/math/pose'
import { conjugate, multiplyQuaternions, rotate } from '../../../../core/math/quaternion'
import { add, cross, length, scale, type Vec3 } from '../../../../core/math/vector'
import { advance, between, direction, hull, motionOf, orientation, pose, random, vector } from './random'

const seeds = fc.integer({ min: 0, max: 0x7fffffff })
const placed = (primitive: Primitive) => ({ primitive, pose: IDENTITY_POSE })
const resting = (primitive: Primitive, at: Pose = IDENTITY_POSE): MovingBody =>
  ({ motionAt: () => motionOf(at, [0, 0, 0], [0, 0, 0]), bounds: AT_REST, primitive, pose: IDENTITY_POSE })

/** Constant velocities. */
function coasting(primitive: Primitive, start: Pose, velocity: Vec3, angularVelocity: Vec3): MovingBody {
  const motion = motionOf(start, velocity, angularVelocity)
  return {
    motionAt: t => advance(motion, t), primitive, pose: IDENTITY_POSE,
    bounds: { speed: length(velocity), acceleration: 0, angularSpeed: length(angularVelocity), angularAcceleration: 0 },
  }
}

/** Free fall with spin, over at most `duration`. */
function falling(primitive: Primitive, start: Pose, velocity: Vec3, angularVelocity: Vec3, duration: number): MovingBody {
  const g: Vec3 = [0, 0, -9.81]
  const motion = motionOf(start, velocity, angularVelocity)
  return {
    motionAt: (t): BodyMotion => {
      const m = advance(motion, t)
      const drop = scale(g, t * t / 2)
      return {
        ...m, center: add(m.center, drop), velocity: add(m.velocity, scale(g, t)),
        pose: { ...m.pose, position: add(m.pose.position, drop) },
      }
    },
    primitive, pose: IDENTITY_POSE,
    bounds: { speed: length(velocity) + 9.81 * duration, acceleration: 9.81, angularSpeed: length(angularVelocity), angularAcceleration: 0 },
  }
}

describe('the time of contact', () => {
  const ground = new HalfSpace([0, 0, 1], 0)

  it('of a falling sphere is √(2h/g), in a few evaluations', () => {
    const ball = new Sphere(0.1)
    const collider = createCollider(placed(ball), placed(ground))!
    const fall = falling(ball, { position: [0, 0, 1.1], orientation: [0, 0, 0, 1] }, [0, 0, 0], [0, 0, 0], 1)
    const predicted = timeOfContact(collider, fall, resting(ground), 0, 1)
    expect(predicted.outcome).toBe('contact')
    expect(Math.abs(predicted.time - Math.sqrt(2 / 9.81))).toBeLessThan(4e-16)
    expect(predicted.iterations).toBeLessThan(20)
    const bisected = timeOfContact(collider, fall, resting(ground), 0, 1, { method: 'bisection' })
    expect(Math.abs(bisected.time - predicted.time)).toBeLessThan(4e-16)
    const cube = box([1, 1, 1])
    const corner = createCollider(placed(cube), placed(ground))!
    const tumble = falling(cube, { position: [0, 0, 3], orientation: [0, 0, 0, 1] }, [0, 0, 0], [3, 2, 1], 1)
    const quick = timeOfContact(corner, tumble, resting(ground), 0, 1)
    const slow = timeOfContact(corner, tumble, resting(ground), 0, 1, { method: 'bisection' })
    expect(Math.abs(quick.time - slow.time)).toBeLessThan(1e-15)
    expect(quick.iterations).toBeLessThan(slow.iterations)
  })

  it('of a 1 cm cube at 1,000 m/s with a 1 mm pane is not missed, in one step of 1/60 s or of 1 s', () => {
    const bullet = box([0.01, 0.01, 0.01])
    const pane = box([0.001, 1, 1])
    const collider = createCollider(placed(bullet), placed(pane))!
    for (const step of [1 / 60, 1]) {
      for (const start of [-0.1, -7, -15.9]) {
        const flight = coasting(bullet, { position: [start, 0.1, 0.2], orientation: [0, 0, 0, 1] }, [1000, 0, 0], [0, 0, 0])
        const found = timeOfContact(collider, flight, resting(pane), 0, step)
        expect(found.outcome).toBe('contact')
        expect(Math.abs(found.time - (-start - 0.0055) / 1000)).toBeLessThan(1e-16)
      }
    }
  })

  it('of a 1 cm sphere and a thin rod spinning at 1,000 rad/s with a pane is not missed', () => {
    const pane = box([0.001, 1, 1])
    const rod = box([0.1, 0.001, 0.001])
    const collider = createCollider(placed(rod), placed(pane))!
    const spin = coasting(rod, { position: [-1, 0, 0], orientation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] }, [100, 0, 0], [0, 0, 1000])
    const found = timeOfContact(collider, spin, resting(pane), 0, 1 / 60)
    expect(found.outcome).toBe('contact')
    const here = spin.motionAt(found.time).pose
    expect(Math.abs(signedDistance(solidAt(rod, here), solidAt(pane, IDENTITY_POSE)))).toBeLessThan(1e-12)
    expect(found.time).toBeLessThan(0.00999)
    const ball = new Sphere(0.01)
    const shot = coasting(ball, { position: [-1, 0, 0], orientation: [0, 0, 0, 1] }, [1000, 0, 0], [0, 1000, 0])
    const hit = timeOfContact(createCollider(placed(ball), placed(pane))!, shot, resting(pane), 0, 1 / 60)
    expect(Math.abs(hit.time - (1 - 0.0105) / 1000)).toBeLessThan(1e-17)
  })

  it('of an arm that falls over from upright is when its far end lands, although no point approaches at first', () => {
    const arm = box([0.1, 0.1, 1])
    const above: Pose = { position: [0, 0, 0.5], orientation: [0, 0, 0, 1] }
    const swing = { ...coasting(arm, IDENTITY_POSE, [0, 0, 0], [0, 3, 0]), pose: above }
    const low = new HalfSpace([0, 0, 1], -0.5)
    const found = timeOfContact(createCollider({ primitive: arm, pose: above }, placed(low))!, swing, resting(low), 0, 1)
    // The lower of its last corners is at cos φ − 0.05 sin φ.
    const angle = Math.acos(-0.5 / Math.hypot(1, 0.05)) - Math.atan(0.05)
    expect(found.outcome).toBe('contact')
    expect(Math.abs(found.time - angle / 3)).toBeLessThan(1e-15)
  })

  it('does not exist for a box that slides past closely, which is detected quickly', () => {
    const cube = box([1, 1, 1])
    const collider = createCollider(placed(cube), placed(ground))!
    for (const gap of [1e-6, 1e-9, 1e-12]) {
      const slide = coasting(cube, { position: [0, 0, 0.5 + gap], orientation: [0, 0, 0, 1] }, [3, 1, 0], [0, 0, 2])
      const found = timeOfContact(collider, slide, resting(ground), 0, 1)
      expect(found.outcome).toBe('apart')
      expect(found.iterations).toBeLessThan(100)
    }
  })

  it('does not exist for a face that turns over an edge and slowly separates from it, which is detected quickly', () => {
    const [plate, block] = [box([0.4, 0.2, 0.02]), box([1, 1, 1])]
    const collider = createCollider(placed(plate), placed(block))!
    const omega = 5
    const gap = (t: number): number => 1e-10 + 20 * t * t * t
    // The block's edge at the origin stays `gap` under the plate, which turns about it.
    const motionAt = (t: number): BodyMotion => {
      const angle = 0.4 + omega * t
      const normal: Vec3 = [Math.sin(angle), 0, Math.cos(angle)]
      const center = scale(normal, 0.01 + gap(t))
      const velocity = add(scale(normal, 60 * t * t), scale([Math.cos(angle), 0, -Math.sin(angle)], omega * (0.01 + gap(t))))
      return motionOf({ position: center, orientation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] }, velocity, [0, omega, 0])
    }
    const turning: MovingBody = {
      motionAt, primitive: plate, pose: IDENTITY_POSE, bounds: { speed: 0.2, acceleration: 3, angularSpeed: omega, angularAcceleration: 0 },
    }
    const still = resting(block, { position: [-0.5, 0, -0.5], orientation: [0, 0, 0, 1] })
    for (const bodies of [[turning, still], [still, turning]] as const) {
      const met = timeOfContact(bodies[0] === turning ? collider : createCollider(placed(block), placed(plate))!, ...bodies, 0, 0.01)
      expect(met.outcome).toBe('apart')
      expect(met.iterations).toBeLessThan(1000)
    }
  })

  it('does not exist for crossing edges that both rotate closely, which is detected quickly', () => {
    const cube = box([1, 1, 1])
    const half = Math.SQRT1_2
    /** Rotates about `pivot`, the midpoint of its edge: first by 45° about the edge, then at `omega`. */
    const about = (pivot: Vec3, toCenter: Vec3, lean: Pose['orientation'], omega: Vec3): MovingBody => {
      const rate = length(omega)
      const first = motionOf({ position: toCenter, orientation: lean }, [0, 0, 0], omega)
      return {
        motionAt: t => {
          const { orientation: q } = advance(first, t).pose
          const turned = rotate(multiplyQuaternions(q, conjugate(lean)), toCenter)
          return motionOf({ position: add(pivot, turned), orientation: q }, cross(omega, turned), omega)
        },
        primitive: cube, pose: IDENTITY_POSE, bounds: { speed: rate * half, acceleration: rate * rate * half, angularSpeed: rate, angularAcceleration: 0 },
      }
    }
    for (const gap of [1e-9, 1e-10]) {
      const upper = about([0, 0, gap], [0, 0, half], [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)], [0, 3, 0])
      const lower = about([0, 0, 0], [0, 0, -half], [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)], [2, 0, 0])
      const found = timeOfContact(createCollider(placed(cube), placed(cube))!, upper, lower, 0, 0.001)
      expect(found.outcome).toBe('apart')
      expect(found.iterations).toBeLessThan(3000)
    }
  })

  it('is the first one among ten thousand instants, for tumbling hulls', () => {
    fc.assert(fc.property(seeds, seed => {
      const r = random(seed)
      const a = hull(r, 8, 0.5)
      const b = hull(r, 8, 0.5)
      const start: Pose = { position: scale(direction(r), 2), orientation: orientation(r) }
      const moving = coasting(a, start, add(scale(start.position, -between(r, 0.5, 2)), vector(r, 0.5)), vector(r, 10))
      const other = coasting(b, pose(r, 0.1), vector(r, 0.2), vector(r, 10))
      const collider = createCollider(placed(a), placed(b))!
      const found = timeOfContact(collider, moving, other, 0, 1)
      expect(found.outcome).not.toBe('unresolved')
      const separation = (t: number): number => collider.separation(moving.motionAt(t).pose, other.motionAt(t).pose)
      for (let k = 0; k <= 500; k++) {
        const t = found.time * k / 500
        expect(separation(t)).toBeGreaterThan(-1e-12)
      }
      if (found.outcome === 'contact') {
        expect(Math.abs(separation(found.time))).toBeLessThan(1e-13)
      }
      expect(found.iterations).toBeLessThan(1000)
    }), { numRuns: 60 })
  })

  it('is the start where the pair touches then, and nothing for bodies at rest apart', () => {
    const cube = box([1, 1, 1])
    const collider = createCollider(placed(cube), placed(cube))!
    expect(timeOfContact(collider, resting(cube, { position: [1, 0, 0], orientation: [0, 0, 0, 1] }), resting(cube), 2, 3))
      .toMatchObject({ outcome: 'contact', time: 2 })
    expect(timeOfContact(collider, resting(cube, { position: [1.1, 0, 0], orientation: [0, 0, 0, 1] }), resting(cube), 2, 3))
      .toMatchObject({ outcome: 'apart', time: 3 })
  })

  it('is unresolved, never missed, if the evaluations run out', () => {
    const cube = box([1, 1, 1])
    const collider = createCollider(placed(cube), placed(cube))!
    const moving = coasting(cube, { position: [5, 0, 0], orientation: [0, 0, 0, 1] }, [-1, 0.2, 0.1], [1, 2, 3])
    const found = timeOfContact(collider, moving, resting(cube), 0, 10, { maxIterations: 3 })
    expect(found.outcome).toBe('unresolved')
    expect(found.time).toBeLessThan(4)
  })
})
