import { describe, expect, it } from 'vitest'
import { convexHull } from '../../../../core/geometry/hull'
import { rotate } from '../../../../core/math/quaternion'
import { distance, type Vec3 } from '../../../../core/math/vector'
import { alignShifts, distributeShifts } from '../../../../renderer/modelling/align'
import { archStones, MAX_COPIES, placements, type ArrayNumbers } from '../../../../renderer/modelling/arrays'

const numbers: ArrayNumbers = { count: 10, columns: 8, rows: 5, layers: 1, gap: 0.01, step: [1, 0, 0], radius: 2, angle: 2 * Math.PI, curve: 'arc' }
const brick: Vec3 = [0.2, 0.1, 0.06]
const shifts = (...args: Parameters<typeof placements>) => placements(...args).map(({ shift }) => shift)

describe('an array', () => {
  it('has the original in its first place, for every kind of array', () => {
    for (const kind of ['linear', 'stack', 'grid', 'circle', 'curve', 'wall', 'pyramid'] as const) {
      const [first] = placements(kind, numbers, brick)
      first!.shift.forEach(x => expect(x).toBeCloseTo(0, 12))
    }
  })

  it('of a wall shifts every other course by half a brick, so that no vertical joint lies over another', () => {
    const wall = shifts('wall', numbers, brick)
    expect(wall).toHaveLength(40)
    const courses = Array.from({ length: 5 }, (_, k) => wall.filter(([, , z]) => Math.abs(z - k * 0.07) < 1e-9).map(([x]) => x))
    expect(courses.every(course => course.length === 8)).toBe(true)
    expect(courses[1]![0]! - courses[0]![0]!).toBeCloseTo(0.105, 12)
    expect(courses[2]![0]).toBeCloseTo(courses[0]![0]!, 12)
  })

  it('of a pyramid has one brick fewer in each course, centred on the course below', () => {
    expect(shifts('pyramid', numbers, brick)).toHaveLength(15)
    expect(shifts('pyramid', numbers, brick).at(-1)![0]).toBeCloseTo(2 * 0.21, 12)
  })

  it('around a circle rotates each copy with its position', () => {
    const around = placements('circle', { ...numbers, count: 4 }, brick)
    expect(around[1]!.shift.map(x => Math.round(x * 1e9) / 1e9)).toEqual([-2, 2, 0])
    expect(rotate(around[1]!.turn, [1, 0, 0]).map(x => Math.round(x * 1e9) / 1e9)).toEqual([0, 1, 0])
  })

  it.each(['arc', 'S', 'spiral', 'line'] as const)('along a curve (%s) keeps its spacing, and aligns each copy with the tangent', curve => {
    const pitch = 0.11
    const along = placements('curve', { ...numbers, count: 40, curve, angle: Math.PI / 2, radius: 1 }, brick)
    for (let i = 1; i < along.length; i++) {
      const [a, b] = [along[i - 1]!, along[i]!]
      // On a bend of radius 1 a chord is shorter than the arc of length s by at most s³/24.
      expect(Math.abs(distance(a.shift, b.shift) - pitch)).toBeLessThan(1e-4)
      const ahead = rotate(a.turn, [1, 0, 0])
      const toNext = [0, 1, 2].map(k => (b.shift[k]! - a.shift[k]!) / pitch)
      expect(ahead[0] * toNext[0]! + ahead[1] * toNext[1]!).toBeGreaterThan(0.99)
    }
  })

  it('makes no more copies than a scene may have', () => {
    expect(shifts('grid', { ...numbers, columns: 1000, rows: 1000 }, brick)).toHaveLength(MAX_COPIES)
  })
})

describe('an arch', () => {
  it('consists of stones that fill the half ring between its radii', () => {
    const stones = archStones(9, 1, 0.4, 0.5)
    const volume = stones.reduce((sum, { points }) => sum + convexHull('stone', points).massProperties.volume, 0)
    // Each circle is approximated by a polygon of nine chords.
    const area = (r: number) => 9 / 2 * r * r * Math.sin(Math.PI / 9)
    expect(volume).toBeCloseTo(0.5 * (area(1.4) - area(1)), 9)
    expect(Math.min(...stones.flatMap(({ points, middle }) => points.map(p => p[2] + middle[2])))).toBeCloseTo(0, 12)
  })
})

describe('bodies in a row', () => {
  const box = (x: number, size: number) => ({ low: [x, 0, 0] as Vec3, high: [x + size, 1, 1] as Vec3 })

  it('are aligned to the last of them, which does not move', () => {
    expect(alignShifts([box(0, 1), box(3, 2), box(10, 4)], 0, 'low')).toEqual([10, 7, 0])
    expect(alignShifts([box(0, 1), box(10, 4)], 0, 'high')).toEqual([13, 0])
  })

  it('are distributed with equal gaps; the outermost do not move', () => {
    const moved = distributeShifts([box(10, 2), box(0, 1), box(2, 3)], 0)
    expect(moved).toEqual([0, 0, 2])
  })
})
