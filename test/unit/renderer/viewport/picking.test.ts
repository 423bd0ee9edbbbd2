import { describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { distance, normalize, type Vec3 } from '../../../../core/math/vector'
import { BODY_STRIDE } from '../../../../core/trajectory/frame'
import { bodiesInRectangle, castRay } from '../../../../renderer/viewport/picking'
import { poseScene } from '../../../../renderer/viewport/posed-scene'

const material = 'm'
const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm', color: '#f00' }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 3], offset: 0, material }] },
    { id: 'box', position: [0, 0, 1], shapes: [{ type: 'box', size: [1, 1, 2], material }] },
    { id: 'ball', position: [3, 0, 1], shapes: [{ type: 'sphere', radius: 0.5, material }, { type: 'ellipsoid', radii: [0.1, 0.1, 1], position: [0, 0, 1], material }] },
  ],
}
const posed = poseScene(scene, null, null)
const anything = () => true
const down = (x: number, y: number) => ({ origin: [x, y, 10] as Vec3, direction: [0, 0, -1] as Vec3 })

describe('a ray', () => {
  it('hits the nearest surface, with its outward normal', () => {
    const hit = castRay(posed, down(0.2, 0.1), anything)!
    expect(hit).toMatchObject({ body: 1, shape: 0, normal: [0, 0, 1] })
    expect(distance(hit.point, [0.2, 0.1, 2])).toBeLessThan(1e-9)
  })

  it('names the shape of a body with several, and has the normal of an ellipsoid', () => {
    expect(castRay(posed, down(3, 0), anything)).toMatchObject({ body: 2, shape: 1 })
    const side = castRay(posed, { origin: [3, -5, 2], direction: [0, 1, 0] }, anything)!
    expect(side.shape).toBe(1)
    expect(distance(side.normal, [0, -1, 0])).toBeLessThan(0.02)
  })

  it('does not slip between the two triangles of a face', () => {
    for (let k = 1; k < 200; k++) {
      const [x, y] = [0.0313 * k, 0.017 * k]
      const turned = poseScene({ ...scene, bodies: [{ id: 'tile', position: [x, y, 1], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material }] }] }, null, null)
      // Through the middle, and along both diagonals.
      for (const s of [0, 0.0437, -0.0811]) for (const side of [1, -1]) expect(castRay(turned, down(x + s, y + side * s), anything)).not.toBeNull()
    }
  })

  it('passes through hidden or locked bodies to the ground', () => {
    const hit = castRay(posed, down(0, 0), body => body !== 1)!
    expect(hit.body).toBe(0)
    expect(distance(hit.point, [0, 0, 0])).toBeLessThan(1e-12)
  })

  it('sees a half-space from outside only, and nothing behind its origin', () => {
    expect(castRay(posed, { origin: [9, 9, -3], direction: [0, 0, 1] }, anything)).toBeNull()
    expect(castRay(posed, { origin: [0, 0, 5], direction: normalize([0, 0, 1]) }, anything)).toBeNull()
  })

  it('gives the nearest straight edge, and no axis of a round one', () => {
    const hit = castRay(posed, down(0.45, 0.1), anything)!
    expect(hit.edge!.map(Math.abs)).toEqual([0, 1, 0])
    expect(castRay(posed, down(3.4, 0), anything)!.edge).toBeNull()
  })

  it('finds bodies where a frame puts them, and not those that do not exist yet', () => {
    const bodies = posed.columns.slice()
    bodies.set([7, 0, 1], BODY_STRIDE)
    bodies.fill(NaN, 2 * BODY_STRIDE)
    const later = poseScene(scene, { index: 1, time: 1, bodies, hash: '' }, posed)
    expect(later.plan).toBe(posed.plan)
    expect(castRay(later, down(7, 0), anything)!.body).toBe(1)
    expect(castRay(later, down(3, 0), anything)!.body).toBe(0)
  })
})

describe('a rectangle', () => {
  it('selects the bodies that it touches, by a corner or by its middle', () => {
    const within = (x0: number, x1: number) => ([x]: Vec3) => x > x0 && x < x1
    expect(bodiesInRectangle(posed, within(0.4, 2), down(1.2, 0), anything)).toEqual([1])
    expect(bodiesInRectangle(posed, within(-1, 4), down(1.2, 0), anything)).toEqual([1, 2])
    expect(bodiesInRectangle(posed, () => false, down(0, 0), anything)).toEqual([1])
    expect(bodiesInRectangle(posed, () => false, down(1.5, 0), anything)).toEqual([])
  })
})

describe('a plan', () => {
  it('is kept while bodies only move, and rebuilt when a shape changes', () => {
    const moved: Scene = { ...scene, bodies: scene.bodies!.map(body => ({ ...body, position: [1, 1, 1] as Vec3 })) }
    expect(poseScene(moved, null, posed).plan).toBe(posed.plan)
    const resized: Scene = { ...scene, bodies: scene.bodies!.map(body => body.id === 'box' ? { ...body, shapes: [{ type: 'box', size: [2, 2, 2], material }] } : body) }
    expect(poseScene(resized, null, posed).plan).not.toBe(posed.plan)
  })

  it('points at bodies where their shapes are', () => {
    expect(posed.middle(2)).toEqual([3, 0, 1.5])
    expect(posed.middle(1)).toEqual([0, 0, 1])
  })

  it('frames boxes by their corners', () => {
    const { low, high } = posed.bounds([1])!
    expect([...low, ...high]).toEqual([-0.5, -0.5, 0, 0.5, 0.5, 2])
  })
})
