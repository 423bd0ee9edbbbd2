import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rigidBody, type RigidBody } from '../../../../../core/dynamics/body'
import {
  ballDamping, forceElement, gravity, scriptForce, type ForceElement, type ForceSpec, type WorkAccount,
} from '../../../../../core/dynamics/forces'
import { SCRIPT_BODY_STRIDE, type LoadedScript } from '../../../../../core/dynamics/script-runtime'
import { velocityAt, type BodyMotion } from '../../../../../core/geometry/motion'
import { IDENTITY } from '../../../../../core/math/matrix'
import { add, cross, dot, length, sub, type Vec3 } from '../../../../../core/math/vector'
import { derivatives, drift, motions } from '../joints/motions'

function bodyOf(index: number, type: RigidBody['type'] = 'dynamic', mass = index + 1): RigidBody {
  return rigidBody({ index, id: `b${index}`, type, mass, inertia: IDENTITY, position: [0, 0, 0], orientation: [0, 0, 0, 1] })
}

interface Sums {
  readonly force: Vec3[]
  /** About the world's origin. */
  readonly moment: Vec3[]
  readonly power: Record<WorkAccount, number>
}

function applied(element: ForceElement, at: readonly BodyMotion[], time = 0, exists = at.map(() => true)): Sums {
  const force: Vec3[] = at.map(() => [0, 0, 0])
  const moment: Vec3[] = at.map(() => [0, 0, 0])
  const power = { potential: 0, friction: 0, drag: 0, scripts: 0 }
  element.apply(time, at, exists, {
    force(i, f, point, account) {
      force[i] = add(force[i]!, f)
      moment[i] = add(moment[i]!, cross(point, f))
      power[account] += dot(f, velocityAt(at[i]!, point))
    },
    torque(i, torque, account) {
      moment[i] = add(moment[i]!, torque)
      power[account] += dot(torque, at[i]!.angularVelocity)
    },
  })
  return { force, moment, power }
}

const bodies = [bodyOf(0), bodyOf(1)]
const pair = fc.tuple(motions, motions)

const conservative: Record<string, ForceElement> = {
  gravity: gravity([0.3, 0, -9.81], bodies),
  uniform: forceElement({ id: 'f', type: 'uniform', force: [1, 2, 3] }, bodies),
  point: forceElement({ id: 'f', type: 'point', body: 0, point: [0.2, 0, 1], force: [1, -2, 3], frame: 'world' }, bodies),
  spring: forceElement({
    id: 'f', type: 'spring', bodyA: 0, pointA: [0.1, 0.2, 0.3], bodyB: 1, pointB: [0, 1, 0], stiffness: 7, damping: 0, restLength: 0.4,
  }, bodies),
  'spring to the world': forceElement({
    id: 'f', type: 'spring', bodyA: -1, pointA: [5, 5, 5], bodyB: 1, pointB: [0, 1, 0], stiffness: 7, damping: 0, restLength: 0,
  }, bodies),
  gravitation: forceElement({ id: 'f', type: 'attractor', body: -1, center: [9, 1, 0], strength: 3, exponent: 2, softening: 0 }, bodies),
  'gravitation of a body': forceElement(
    { id: 'f', type: 'attractor', body: 1, center: [9, 1, 0], strength: 3, exponent: 2, softening: 0.1 }, bodies),
  'logarithmic attraction': forceElement(
    { id: 'f', type: 'attractor', body: -1, center: [9, 1, 0], strength: 3, exponent: 1, softening: 0 }, bodies),
  'harmonic attraction': forceElement(
    { id: 'f', type: 'attractor', body: -1, center: [0, 1, 0], strength: 3, exponent: -1, softening: 0.2 }, bodies),
}

describe.each(Object.entries(conservative))('%s', (_name, element) => {
  it('does work equal to the decrease of its potential', () => {
    fc.assert(fc.property(pair, at => {
      const { first } = derivatives(t => element.potential(at.map(m => drift(m, t)), bodies.map(() => true)))
      const { power } = applied(element, at)
      expect(Math.abs(power.potential + first)).toBeLessThan(1e-7 * Math.max(1, Math.abs(first)))
      expect(power.drag).toBe(0)
      expect(power.scripts).toBe(0)
    }))
  })
})

describe('forces between bodies', () => {
  it.each(['spring', 'gravitation of a body'])('%s: opposite, with no moment on the whole', name => {
    fc.assert(fc.property(pair, at => {
      const { force, moment } = applied(conservative[name]!, at)
      expect(length(add(force[0]!, force[1]!))).toBeLessThan(1e-12)
      expect(length(add(moment[0]!, moment[1]!))).toBeLessThan(1e-12)
      expect(length(force[0]!)).toBeGreaterThan(0)
    }))
  })

  it('a ball joint\'s damping slows the relative rotation and takes energy', () => {
    fc.assert(fc.property(pair, at => {
      const relative = sub(at[0].angularVelocity, at[1].angularVelocity)
      const { force, power } = applied(ballDamping({ id: 'j', bodyA: 0, bodyB: 1, damping: 2, broken: () => false }), at)
      expect(force[0]).toEqual([0, 0, 0])
      expect(power.drag).toBeCloseTo(-2 * dot(relative, relative), 12)
    }))
  })
})

describe('a spring', () => {
  const still = (position: Vec3, velocity: Vec3 = [0, 0, 0]): BodyMotion =>
    ({ ...bodies[0]!.initial, pose: { position, orientation: [0, 0, 0, 1] }, center: position, velocity })
  const spring = (over: object) => forceElement({
    id: 's', type: 'spring', bodyA: 0, pointA: [0, 0, 0], bodyB: -1, pointB: [0, 0, 0], stiffness: 10, damping: 2, restLength: 0.5, ...over,
  } as ForceSpec, bodies)

  it('pulls with k (l − l₀) and damps with the rate of its length alone', () => {
    const { force, power } = applied(spring({}), [still([2, 0, 0], [3, 5, 0]), still([0, 0, 0])])
    expect(force[0]).toEqual([-(10 * 1.5 + 2 * 3), 0, 0])
    expect(power.drag).toBe(-2 * 9)
  })

  it('takes its rest length from the initial pose where none is given', () => {
    const moved = [rigidBody({ index: 0, id: 'a', type: 'dynamic', mass: 1, inertia: IDENTITY, position: [0, 3, 4], orientation: [0, 0, 0, 1] })]
    const element = forceElement(
      { id: 's', type: 'spring', bodyA: 0, pointA: [0, 0, 0], bodyB: -1, pointB: [0, 0, 0], stiffness: 10, damping: 0 }, moved)
    expect(element.potential([moved[0]!.initial], [true])).toBe(0)
    expect(element.potential([still([0, 0, 6])], [true])).toBe(5)
  })

  it('is finite if its ends coincide: no force at rest, the limit in motion', () => {
    const resting = applied(spring({}), [still([0, 0, 0]), still([0, 0, 0])])
    expect(resting.force[0]).toEqual([0, 0, 0])
    const passing = applied(spring({}), [still([0, 0, 0], [0, 4, 0]), still([0, 0, 0])])
    const after = applied(spring({}), [still([0, 1e-12, 0], [0, 4, 0]), still([0, 0, 0])])
    expect(length(sub(passing.force[0]!, after.force[0]!))).toBeLessThan(1e-10)
  })
})

describe('drag and wind', () => {
  it('drag takes (c + q |v|) v² and c_ω ω²', () => {
    const element = forceElement({ id: 'd', type: 'drag', linear: 2, quadratic: 3, angular: 4 }, bodies)
    fc.assert(fc.property(pair, at => {
      const { power } = applied(element, at)
      const expected = at.reduce((s, { velocity: v, angularVelocity: w }) => s + (2 + 3 * length(v)) * dot(v, v) + 4 * dot(w, w), 0)
      expect(power.drag).toBeCloseTo(-expected, 11)
    }))
  })

  it('wind acts only in its box, rises over the falloff, and does not act on bodies that move with it', () => {
    const element = forceElement({
      id: 'w', type: 'wind', bodies: [0], velocity: [5, 0, 0], linear: 2, quadratic: 0, box: { min: [0, 0, 0], max: [2, 2, 2] }, falloff: 0.5,
    }, bodies)
    const at = (center: Vec3, velocity: Vec3 = [0, 0, 0]) =>
      applied(element, [{ ...bodies[0]!.initial, center, velocity }, bodies[1]!.initial]).force[0]!
    expect(at([1, 1, 1])[0]).toBe(10)
    expect(at([0.25, 1, 1])[0]).toBe(5)
    expect(at([2.5, 1, 1])[0]).toBe(0)
    expect(length(at([1, 1, 1], [5, 0, 0]))).toBe(0)
  })

  it('a body that does not exist yet feels nothing, and fixed bodies are never listed', () => {
    const mixed = [bodyOf(0), bodyOf(1, 'fixed'), bodyOf(2)]
    const element = forceElement({ id: 'u', type: 'uniform', force: [1, 0, 0] }, mixed)
    expect(element.bodies).toEqual([0, 2])
    const { force } = applied(element, mixed.map(b => b.initial), 0, [true, true, false])
    expect(force[2]).toEqual([0, 0, 0])
  })
})

describe('a keyframed force', () => {
  const keys = (interpolation: 'linear' | 'cubic', outside: 'hold' | 'zero' = 'hold') => forceElement({
    id: 'k', type: 'keyframed', body: 0, frame: 'world', interpolation, outside,
    keys: [[1, 0], [2, 4], [2, -2], [3, 0], [5, 8]].map(([time, x]) => ({
      time: time!, force: [x!, 0, 0] as const, torque: [0, 0, -x!] as const,
    })),
  }, bodies)
  const x = (element: ForceElement, time: number) => applied(element, bodies.map(b => b.initial), time).force[0]![0]

  it('is linear between keys and jumps to the second of two keys at one time', () => {
    const element = keys('linear')
    expect([0, 1, 1.5, 2 - 1e-9, 2, 2.5, 4, 5, 9].map(t => x(element, t))).toEqual([0, 0, 2, expect.closeTo(4, 6), -2, -1, 4, 8, 8])
    expect(element.breakpoints).toEqual([1, 2, 3, 5])
    expect(x(keys('linear', 'zero'), 0.5)).toBe(0)
    expect(x(keys('linear', 'zero'), 5)).toBe(0)
    expect(x(keys('linear', 'zero'), 5 - 1e-9)).toBeCloseTo(8, 6)
  })

  it('as a cubic passes its keys with slope (p₊ − p₋)/(t₊ − t₋) at inner keys and the chord\'s at ends and jumps', () => {
    const element = keys('cubic')
    const slope = (t: number, side: 1 | -1) => (x(element, t + side * 1e-7) - x(element, side > 0 ? t : t - 1e-12)) / (side * 1e-7)
    expect(x(element, 1)).toBe(0)
    expect(x(element, 3)).toBe(0)
    expect(slope(1, 1)).toBeCloseTo(4, 4)
    expect(slope(2, -1)).toBeCloseTo(4, 4)
    expect(slope(2, 1)).toBeCloseTo(2, 4)
    expect(slope(3, 1)).toBeCloseTo(10 / 3, 4)
    expect(slope(3, -1)).toBeCloseTo(10 / 3, 4)
    expect(slope(5, -1)).toBeCloseTo(4, 4)
  })

  it('turns with the body in the body frame', () => {
    const quarter: BodyMotion = { ...bodies[0]!.initial, rotation: [0, -1, 0, 1, 0, 0, 0, 0, 1] }
    const element = forceElement({
      id: 'k', type: 'keyframed', body: 0, frame: 'body', interpolation: 'linear', outside: 'hold',
      keys: [{ time: 0, force: [2, 0, 0], torque: [0, 0, 0] }],
    }, bodies)
    expect(applied(element, [quarter, bodies[1]!.initial]).force[0]).toEqual([0, 2, 0])
  })
})

describe('a script force', () => {
  it('passes the state once per evaluation and applies the returned wrenches to existing dynamic bodies', () => {
    const three = [bodyOf(0), bodyOf(1, 'kinematic'), bodyOf(2)]
    let calls = 0
    let seen = new Float64Array()
    const script: LoadedScript = {
      id: 's', breakpoints: [0.5], computes: true, controller: null, output: () => ({ plots: [{ name: 'p', value: 1 }], logs: [] }),
      evaluate(time, state, wrenches) {
        calls++
        seen = state.slice()
        for (let i = 0; i < 3; i++) wrenches.set([time, i, 0, 0, 0, i], 6 * i)
      },
    }
    const element = scriptForce('s', script, three, null)
    fc.assert(fc.property(motions, motion => {
      calls = 0
      const { force, moment } = applied(element, [motion, motion, motion], 2, [true, true, false])
      expect(calls).toBe(1)
      expect(force).toEqual([[2, 0, 0], [0, 0, 0], [0, 0, 0]])
      expect(length(sub(moment[0]!, cross(motion.center, [2, 0, 0])))).toBe(0)
      const slice = [...seen.subarray(0, SCRIPT_BODY_STRIDE)]
      expect(slice).toEqual([
        ...motion.pose.position, ...motion.pose.orientation, ...motion.velocity, ...motion.angularVelocity, ...motion.center, 1, 1])
      expect(seen[SCRIPT_BODY_STRIDE + 16]).toBe(Infinity)
      expect(seen[2 * SCRIPT_BODY_STRIDE + 17]).toBe(0)
    }))
    expect(element.breakpoints).toEqual([0.5])
    expect(element.output().plots[0]!.name).toBe('p')
  })
})
