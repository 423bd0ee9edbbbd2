/** Draws lines, arcs and marks of joints in the joint's colour. */

import { addScaled, cross, perpendicular, type Vec3 } from '../../core/math/vector'

const TURN = 2 * Math.PI
/** Chords of a full circle, and the maximum for an arc, which may have many turns. */
const CHORDS = 48
const MAX_CHORDS = 480

/** Destination of lines and points; colours are indices of the palette. */
export interface LineSink {
  addVectors(from: Vec3, to: Vec3, color: number, width: number, dash: number): void
}
export interface PointSink {
  add(x: number, y: number, z: number, color: number, size: number): void
}

export class JointPen {
  color = 0
  width = 0

  /** @param muted colour of secondary parts @param limit colour of the ends of the range and of broken joints */
  constructor(private readonly lines: LineSink, private readonly points: PointSink, readonly muted: number, readonly limit: number) {}

  /** A point of a body that the joint constrains. */
  dot([x, y, z]: Vec3): void {
    this.points.add(x, y, z, this.color, this.width + 1.8)
  }

  line(from: Vec3, to: Vec3, color = this.color, width = this.width, dash = 0): void {
    this.lines.addVectors(from, to, color, width, dash)
  }

  axis(middle: Vec3, axis: Vec3, half: number): void {
    this.line(addScaled(middle, axis, -half), addScaled(middle, axis, half))
  }

  polyline(points: readonly Vec3[]): void {
    for (let i = 1; i < points.length; i++) this.line(points[i - 1]!, points[i]!)
  }

  circle(center: Vec3, axis: Vec3, radius: number, color = this.color): void {
    this.arc(center, axis, perpendicular(axis), radius, 0, TURN, color)
  }

  /** @param zero unit vector perpendicular to the axis; the angle's zero */
  arc(center: Vec3, axis: Vec3, zero: Vec3, radius: number, from: number, to: number, color = this.color): void {
    const count = Math.max(2, Math.ceil(Math.abs(to - from) / (TURN / CHORDS)))
    for (let i = 0; i < Math.min(count, MAX_CHORDS); i++) {
      const at = (k: number): Vec3 => onArc(center, axis, zero, radius, from + (to - from) * k / count)
      this.line(at(i), at(i + 1), color)
    }
  }
}

/** A point of a circle, at an angle from `zero`. */
export function onArc(center: Vec3, axis: Vec3, zero: Vec3, radius: number, angle: number): Vec3 {
  return addScaled(addScaled(center, zero, radius * Math.cos(angle)), cross(axis, zero), radius * Math.sin(angle))
}
