import { boxOf } from '../modelling/extents'
import type { Vec3 } from '../../core/math/vector'
import type { Scene } from '../../core/scene'
import { bodiesOf, positionOf } from './scene-access'

/** m: digits below are rounding. */
const DIGITS = 1e6

/**
 * Likely place of a joint: where the boxes around two bodies overlap or are nearest to each other, in the middle of what they share along each axis; or
 * at the body that is joined to the world, or to a body without a finite box.
 */
export function suggestAnchor(scene: Scene, a: string, b: string | null): Vec3 {
  const of = (id: string | null) => bodiesOf(scene).find(body => body.id === id)
  const [bodyA, bodyB] = [of(a), of(b)]
  const [boxA, boxB] = [bodyA && boxOf(bodyA), bodyB && boxOf(bodyB)]
  if (!boxA || !boxB) return positionOf((boxA || !boxB ? bodyA : bodyB) ?? {})
  const middle = (k: 0 | 1 | 2) => (Math.max(boxA.low[k], boxB.low[k]) + Math.min(boxA.high[k], boxB.high[k])) / 2
  return ([0, 1, 2] as const).map(k => Math.round(middle(k) * DIGITS) / DIGITS) as unknown as Vec3
}

/**
 * Likely ends of a rod: where the boxes around two bodies are nearest to each other, level with the middle of what they share; their origins if the boxes
 * touch; or the body and a point 1 m above it if it is joined to the world.
 */
export function suggestEnds(scene: Scene, a: string, b: string | null): readonly [Vec3, Vec3] {
  const of = (id: string | null) => bodiesOf(scene).find(body => body.id === id)
  const [bodyA, bodyB] = [of(a), of(b)]
  const [boxA, boxB] = [bodyA && boxOf(bodyA), bodyB && boxOf(bodyB)]
  const from = positionOf(bodyA ?? {})
  if (!bodyB) return [from, [from[0], from[1], from[2] + 1]]
  if (!boxA || !boxB) return [from, positionOf(bodyB)]
  const rounded = (x: number) => Math.round(x * DIGITS) / DIGITS
  const ends = ([0, 1, 2] as const).map((k): [number, number] => {
    if (boxA.low[k] > boxB.high[k]) return [rounded(boxA.low[k]), rounded(boxB.high[k])]
    if (boxB.low[k] > boxA.high[k]) return [rounded(boxA.high[k]), rounded(boxB.low[k])]
    const middle = rounded((Math.max(boxA.low[k], boxB.low[k]) + Math.min(boxA.high[k], boxB.high[k])) / 2)
    return [middle, middle]
  })
  if (ends.every(([p, q]) => p === q)) return [from, positionOf(bodyB)]
  return [ends.map(([p]) => p) as unknown as Vec3, ends.map(([, q]) => q) as unknown as Vec3]
}
