import { describe, expect, it } from 'vitest'
import type { Shape } from '../../../../core/scene'
import { boxOf, heightOver, liftOver, topAt } from '../../../../renderer/modelling/extents'

const material = 'wood'
const angle = 20 * Math.PI / 180
const slope = [Math.sin(angle), 0, Math.cos(angle)] as const
const box = (z: number, half = 0.25) => boxOf({ id: 'b', position: [0, 0, z], shapes: [{ type: 'box', size: [2 * half, 2 * half, 2 * half], material }] })!

describe('a shape that touches a plane from above', () => {
  it.each([
    ['a ball', { type: 'sphere', radius: 0.3, material }, 0.3 / Math.cos(angle)],
    ['a cube', { type: 'box', size: [1, 1, 1], material }, 0.5 + 0.5 * Math.tan(angle)],
    ['a cylinder', { type: 'cylinder', radius: 0.2, height: 1, material }, 0.5 + 0.2 * Math.tan(angle)],
  ] satisfies [string, Shape, number][])('%s has its origin above the plane by the support in the direction of the normal', (_, shape, expected) => {
    expect(heightOver(shape, slope)).toBeCloseTo(expected, 12)
  })
})

describe('a box among others', () => {
  it('is lifted above those that it overlaps, and above those that it would then overlap', () => {
    expect(liftOver([box(0.5, 0.05)], box(0.25))).toBeCloseTo(0.55, 12)
    expect(liftOver([box(0.9, 0.1), box(0.5, 0.05)], box(0.25))).toBeCloseTo(1, 12)
  })
  it('stays where it only touches', () => {
    expect(liftOver([box(0.75), box(5)], box(0.25))).toBe(0)
  })
})

describe('the free place above the ground', () => {
  it('is the ground where nothing stands', () => {
    expect(topAt([], 0, 0)).toBe(0)
    expect(topAt([box(0.25)], 0.26, 0)).toBe(0)
  })
  it('is on top of a stack, and below what hangs over it', () => {
    expect(topAt([box(0.75), box(0.25)], 0, 0)).toBe(1)
    expect(topAt([box(0.25), box(5)], 0, 0)).toBe(0.5)
  })
})
