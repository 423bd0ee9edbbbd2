import { describe, expect, it } from 'vitest'
import type { Curve } from '../../../../../core/scene'
import { multiply, transpose, type Mat3 } from '../../../../../core/math/matrix'
import { distance, dot, length, sub, type Vec3 } from '../../../../../core/math/vector'
import type { ContactFrame, TrajectoryEvent } from '../../../../../core/trajectory/frame'
import { arrowScales, roundDown125, type ScaleInput } from '../../../../../renderer/viewport/glyphs/arrow-scale'
import { curvePoints } from '../../../../../renderer/joints/curve-points'
import { signOf } from '../../../../../renderer/viewport/glyphs/contacts'
import { keyframeAt } from '../../../../../renderer/viewport/glyphs/forces'
import { firstEventFrom } from '../../../../../renderer/viewport/glyphs/impacts'
import { inertiaSemiAxes, principalAxes } from '../../../../../renderer/viewport/glyphs/principal-axes'

describe('arrow lengths', () => {
  const input: ScaleInput = { radius: 0.5, sceneRadius: 2, masses: [1, 2, 300], gravity: 9.81, slider: 1, largestForce: 0, largestImpulse: 0, largestApplied: 0 }
  const length = (force: number, change: Partial<ScaleInput>) => force * arrowScales({ ...input, ...change }).force

  it('draw the weight of the typical body about as long as the body, before any force is known', () => {
    expect(length(2 * 9.81, {})).toBeCloseTo(1.1, 12)
  })

  it('draw the largest force between half and all of that', () => {
    for (const largestForce of [0.1, 7, 8, 9, 1e6]) {
      expect(length(largestForce, { largestForce })).toBeGreaterThanOrEqual(0.55)
      expect(length(largestForce, { largestForce })).toBeLessThanOrEqual(1.1)
    }
  })

  it('draw the largest force of the scene at a third of that where nothing touches, and by the scale of contacts otherwise', () => {
    for (const largestApplied of [0.1, 4, 1e6]) {
      expect(length(largestApplied, { largestApplied })).toBeGreaterThanOrEqual(0.55 / 3)
      expect(length(largestApplied, { largestApplied })).toBeLessThanOrEqual(1.1 / 3)
      expect(length(1, { largestApplied, largestForce: 8 })).toBe(length(1, { largestForce: 8 }))
    }
    expect(length(1e-9, { largestApplied: 1e-9 })).toBeLessThan(1e-9)
  })

  it('change their scale by factors of two, not with every new force', () => {
    expect(length(1, { largestForce: 5 })).toBe(length(1, { largestForce: 7.9 }))
    expect(length(1, { largestForce: 5 })).toBe(2 * length(1, { largestForce: 15 }))
  })

  it('do not magnify rounding errors of a zero force', () => {
    expect(length(1e-13, { largestForce: 1e-13 })).toBeLessThan(1e-12)
  })

  it('grow with the slider, and are visible for small bodies in a large scene', () => {
    expect(length(1, { slider: 3 })).toBeCloseTo(3 * length(1, {}), 12)
    expect(length(2 * 9.81, { radius: 0.01, sceneRadius: 10 })).toBeGreaterThan(1)
  })

  it('are finite without gravity and without bodies', () => {
    for (const value of Object.values(arrowScales({ ...input, masses: [], gravity: 0 }))) expect(Number.isFinite(value)).toBe(true)
  })

  it('are labelled with round numbers', () => {
    expect([0.0234, 1, 4.9, 5, 9.99, 1234, 2000].map(roundDown125).map(x => Number(x.toPrecision(3)))).toEqual([0.02, 1, 2, 5, 5, 1000, 2000])
  })
})

describe('inertia ellipsoid', () => {
  it('of a uniform ellipsoid is that ellipsoid', () => {
    const [a, b, c] = [1, 2, 3]
    const m = 7
    const semi = inertiaSemiAxes([m / 5 * (b * b + c * c), m / 5 * (a * a + c * c), m / 5 * (a * a + b * b)], m)
    expect(distance(semi, [a, b, c])).toBeLessThan(1e-12)
  })

  it('has principal axes that make the inertia diagonal', () => {
    const inertia: Mat3 = [4, 1, -0.5, 1, 3, 0.25, -0.5, 0.25, 5]
    const { values, axes } = principalAxes(inertia)
    const r = [...axes[0], ...axes[1], ...axes[2]] as unknown as Mat3
    const diagonal = multiply(multiply(r, inertia), transpose(r))
    expect(diagonal.map((x, i) => Math.abs(x - (i % 4 === 0 ? values[i / 4]! : 0))).reduce((x, y) => Math.max(x, y))).toBeLessThan(1e-12)
  })
})

describe('curves', () => {
  const circle: Curve = { type: 'circle', center: [1, 2, 3], normal: [0, 0, 2], radius: 0.5 }

  it('of a circle lie on it', () => {
    for (const p of curvePoints(circle)) {
      expect(p[2]).toBeCloseTo(3, 12)
      expect(length(sub(p, [1, 2, 3]))).toBeCloseTo(0.5, 12)
    }
  })

  it('of a helix rise by the pitch in one turn', () => {
    const points = curvePoints({ type: 'helix', center: [0, 0, 0], axis: [0, 0, 1], radius: 1, pitch: 0.3 })
    expect(points[48]![2] - points[0]![2]).toBeCloseTo(0.3, 12)
  })

  it('of a spline pass through its points, and are straight where they lie on a line', () => {
    const points: Vec3[] = [[0, 0, 0], [1, 0, 0], [3, 0, 0], [4, 0, 0]]
    const drawn = curvePoints({ type: 'spline', points })
    for (const p of points) expect(Math.min(...drawn.map(q => distance(p, q)))).toBeLessThan(1e-12)
    expect(drawn.every(p => Math.abs(p[1]) + Math.abs(p[2]) < 1e-12)).toBe(true)
    const ring = curvePoints({ type: 'spline', closed: true, points: [[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]] })
    expect(ring.every(p => Math.abs(length(p) - 1) < 0.03)).toBe(true)
    expect(dot(sub(ring[1]!, ring[0]!), [1, 0, 0])).toBeLessThan(0.01)
  })
})

describe('keyframed forces', () => {
  const force = (interpolation: 'linear' | 'cubic', outside: 'hold' | 'zero' = 'hold') => ({
    id: 'f', type: 'keyframed' as const, body: 'b', interpolation, outside,
    keys: ([[1, 0], [2, 10], [3, 20], [3, 5]] as const).map(([time, x]) => ({ time, force: [x, 0, 0] as Vec3 })),
  })
  const at = (time: number, ...how: Parameters<typeof force>) => keyframeAt(force(...how), time)?.force[0]

  it('are linear between keys, jump where two keys have one time, and hold or vanish outside', () => {
    expect([0, 1.5, 2.5, 3, 4].map(t => at(t, 'linear'))).toEqual([0, 5, 15, 5, 5])
    expect([0, 1.5, 4].map(t => at(t, 'linear', 'zero'))).toEqual([undefined, 5, undefined])
  })

  it('follow a straight line exactly in cubic interpolation too', () => {
    expect(at(1.25, 'cubic')).toBeCloseTo(2.5, 12)
    expect(at(2.6, 'cubic')).toBeCloseTo(16, 12)
  })
})

describe('impacts', () => {
  it('are found by time', () => {
    const events = [0, 0.5, 0.5, 2].map(time => ({ time }) as TrajectoryEvent)
    expect([-1, 0, 0.25, 0.5, 1, 3].map(time => firstEventFrom(events, time))).toEqual([0, 0, 1, 1, 3, 4])
  })
})

describe('the side that a contact\'s force is drawn on', () => {
  /** A contact whose normal points from B to A. */
  const contact = (normal: Vec3) => ({ normal: Float64Array.from(normal) }) as unknown as ContactFrame
  const up: Vec3 = [0, 0, 1]
  it('is the upper body, whichever of the pair is named first', () => {
    expect(signOf(contact([0, 0.1, 1]), 0, { side: 'upper', up })).toBe(1)
    expect(signOf(contact([0, -0.1, -1]), 0, { side: 'upper', up })).toBe(-1)
  })
  it('is the one that was chosen, or both', () => {
    for (const normal of [[0, 0, 1], [0, 0, -1]] as const) {
      expect((['A', 'B', 'both'] as const).map(side => signOf(contact(normal), 0, { side, up }))).toEqual([1, -1, null])
    }
  })
})
