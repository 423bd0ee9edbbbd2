/** Parts of a deformable at the start, by vertex numbers: input of the compiler and of drawing. */

import { addScaled, distance, sub, type Vec3 } from '../math/vector'
import type { ResolvedDeformable } from '../scene'

export interface DeformableShape {
  /** m, world frame. */
  readonly vertices: readonly Vec3[]
  /** Vertices of ropes and strands, in order. */
  readonly strands: readonly (readonly number[])[]
  /** Two vertices each. */
  readonly springs: readonly (readonly [number, number])[]
  /** Three each. */
  readonly triangles: readonly (readonly number[])[]
}

export function deformableShape(deformable: ResolvedDeformable): DeformableShape {
  const nothing = { strands: [], springs: [], triangles: [] }
  switch (deformable.type) {
    case 'particles': return { ...nothing, vertices: deformable.particles.map(({ position }) => position),
      springs: deformable.springs.map(({ a, b }) => [a, b]) }
    case 'rope': {
      const vertices = resampled(deformable.points, deformable.segments)
      return { ...nothing, vertices, strands: [[...vertices.keys()]] }
    }
    case 'hair': {
      let first = 0
      const strands = deformable.strands.map(({ points }) => points.map(() => first++))
      return { ...nothing, vertices: deformable.strands.flatMap(({ points }) => points), strands }
    }
    case 'cloth': return { ...nothing, vertices: deformable.vertices, triangles: deformable.triangles }
  }
}

/**
 * By strand and segment: 1 if one body, the world or one prescribed motion holds both of its ends, so that it does not bend. The roots of hair are such
 * segments: the strand is clamped at its second point.
 */
export function clampedSegments(deformable: ResolvedDeformable, { strands }: DeformableShape): Uint8Array[] {
  const holders = new Map<number, string | null>()
  if (deformable.type === 'hair') strands.forEach((strand, i) => { for (const vertex of strand.slice(0, 2)) holders.set(vertex, deformable.strands[i]!.body) })
  for (const vertex of deformable.pins) holders.set(vertex, null)
  for (const { vertex, body } of deformable.attachments) if (vertex !== undefined) holders.set(vertex, body)
  // Not an id: ids have no spaces.
  deformable.controlled.forEach(({ vertices }, i) => { for (const vertex of vertices) holders.set(vertex, `controlled ${i}`) })
  return strands.map(strand => Uint8Array.from(strand.slice(1), (vertex, k) => {
    const holder = holders.get(vertex)
    return holder !== undefined && holder === holders.get(strand[k]!) ? 1 : 0
  }))
}

/** Points at equal distances along a polyline, including its ends. */
export function resampled(points: readonly Vec3[], segments: number): Vec3[] {
  const along = [0]
  for (let i = 1; i < points.length; i++) along.push(along[i - 1]! + distance(points[i - 1]!, points[i]!))
  const total = along.at(-1)!
  let side = 1
  return Array.from({ length: segments + 1 }, (_, k): Vec3 => {
    if (k === segments) return points.at(-1)!
    const s = total * k / segments
    while (along[side]! < s) side++
    const share = (s - along[side - 1]!) / (along[side]! - along[side - 1]!)
    return addScaled(points[side - 1]!, sub(points[side]!, points[side - 1]!), share)
  })
}
