/** Poses of an array's copies relative to the original: pure functions of a few numbers. Lengths in m, angles in rad. */

import { fromAxisAngle } from './rotations'
import type { Quat } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

/** Displacement and rotation of a copy relative to the original, about the original's origin. */
export interface Placement {
  readonly shift: Vec3
  readonly turn: Quat
}

export type ArrayKind = 'linear' | 'stack' | 'grid' | 'circle' | 'curve' | 'wall' | 'pyramid'
export const CURVES = ['arc', 'S', 'spiral', 'line'] as const
export type ArrayCurve = (typeof CURVES)[number]

/** Parameters of all kinds; each kind uses some. */
export interface ArrayNumbers {
  count: number
  columns: number
  rows: number
  layers: number
  /** Gap between the bounding boxes of neighbours. */
  gap: number
  step: Vec3
  radius: number
  /** Total angle of a circle or a curve, from first to last. */
  angle: number
  curve: ArrayCurve
}

/** Maximum number of copies in one array: a scene of ten thousand bodies can still take that many at once. */
export const MAX_COPIES = 2000

const NO_TURN: Quat = [0, 0, 0, 1]
const UP: Vec3 = [0, 0, 1]

/**
 * Poses of all copies; the first is the original's own.
 * @param size of the original's bounding box, world axes
 */
export function placements(kind: ArrayKind, numbers: ArrayNumbers, size: Vec3): Placement[] {
  const found: Placement[] = []
  for (const placement of placesOf(kind, numbers, size)) {
    if (found.push(placement) === MAX_COPIES) break
  }
  return found
}

function* placesOf(kind: ArrayKind, { count, columns, rows, layers, gap, step, radius, angle, curve }: ArrayNumbers, size: Vec3): Generator<Placement> {
  const pitch = size.map(extent => extent + gap) as unknown as Vec3
  const at = (x: number, y: number, z: number): Placement => ({ shift: [x, y, z], turn: NO_TURN })
  switch (kind) {
    case 'linear':
      for (let i = 0; i < count; i++) yield at(i * step[0], i * step[1], i * step[2])
      return
    case 'stack':
      for (let i = 0; i < count; i++) yield at(0, 0, i * pitch[2])
      return
    case 'grid':
      for (let k = 0; k < layers; k++) {
        for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) yield at(i * pitch[0], j * pitch[1], k * pitch[2])
      }
      return
    case 'circle': {
      // The original is on the circle, whose centre is at −radius along x. A full circle has no second copy at the original's place.
      const whole = Math.abs(Math.abs(angle) - 2 * Math.PI) < 1e-9
      const each = angle / Math.max(1, whole ? count : count - 1)
      for (let i = 0; i < count; i++) {
        yield { shift: [radius * (Math.cos(i * each) - 1), radius * Math.sin(i * each), 0], turn: fromAxisAngle(UP, i * each) }
      }
      return
    }
    case 'curve':
      for (let i = 0; i < count; i++) yield onCurve(curve, i * (Math.min(size[0], size[1]) + gap), radius, angle)
      return
    // Each course is offset by half a brick from the one below, so that joints do not line up.
    case 'wall':
      for (let k = 0; k < rows; k++) for (let i = 0; i < columns; i++) yield at(i * pitch[0] + (k % 2) * pitch[0] / 2, 0, k * pitch[2])
      return
    case 'pyramid':
      for (let k = 0; k < rows; k++) for (let i = 0; i < rows - k; i++) yield at((i + k / 2) * pitch[0], 0, k * pitch[2])
  }
}

/** The point at arc length `length` of a horizontal curve that starts towards +x, and the rotation from +x to its direction there. */
function onCurve(curve: ArrayCurve, length: number, radius: number, angle: number): Placement {
  switch (curve) {
    case 'line': return { shift: [length, 0, 0], turn: NO_TURN }
    case 'arc': {
      const heading = length / radius
      return { shift: [radius * Math.sin(heading), radius * (1 - Math.cos(heading)), 0], turn: fromAxisAngle(UP, heading) }
    }
    case 'S': {
      const half = radius * Math.abs(angle)
      if (length <= half) return onCurve('arc', length, radius, angle)
      const first = onCurve('arc', half, radius, angle)
      const heading = half / radius - (length - half) / radius
      // The second bend turns the other way, from the end of the first.
      const x = first.shift[0] + radius * (Math.sin(half / radius) - Math.sin(heading))
      const y = first.shift[1] + radius * (Math.cos(heading) - Math.cos(half / radius))
      return { shift: [x, y, 0], turn: fromAxisAngle(UP, heading) }
    }
    case 'spiral': {
      // A spiral whose radius grows by half the first radius per turn; the angle is found by stepping along the arc length.
      const grown = radius / (4 * Math.PI)
      let turned = 0
      for (let walked = 0; walked < length;) {
        const r = radius + grown * turned
        const part = Math.min(0.02 * r, length - walked)
        turned += part / Math.sqrt(r * r + grown * grown)
        walked += part
      }
      const r = radius + grown * turned
      const heading = turned + Math.atan2(-grown, r)
      return { shift: [r * Math.sin(turned), radius - r * Math.cos(turned), 0], turn: fromAxisAngle(UP, heading) }
    }
  }
}

/** A voussoir of a semicircular arch: corners of its hull about their centre, and the centre's position. */
export interface ArchStone {
  readonly points: readonly Vec3[]
  readonly middle: Vec3
}

/** Voussoirs of equal angle over the x axis; `radius` is the inner radius at the springing line. @param depth along y */
export function archStones(count: number, radius: number, thickness: number, depth: number): ArchStone[] {
  const each = Math.PI / count
  return Array.from({ length: count }, (_, i) => {
    const corner = (r: number, k: number, y: number): Vec3 => [r * Math.cos(k * each), y, r * Math.sin(k * each)]
    const corners = [radius, radius + thickness].flatMap(r => [i, i + 1].flatMap(k => [-depth / 2, depth / 2].map(y => corner(r, k, y))))
    const middle = [0, 1, 2].map(k => corners.reduce((sum, p) => sum + p[k]!, 0) / corners.length) as unknown as Vec3
    return { points: corners.map(p => p.map((x, k) => x - middle[k]!) as unknown as Vec3), middle }
  })
}
