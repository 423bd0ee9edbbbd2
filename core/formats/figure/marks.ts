/** Parts of mechanical figures: arrows, moment arcs, scales. */

import { cos, hypot, PI, sin } from '../../math/elementary'
import type { Mark, Point, Stroke } from './drawing'

/** pt */
const HEAD = { length: 8, width: 5.2 } as const

/** An arrow with its head at `to`; a short arrow consists of its head. */
export function arrow(from: Point, to: Point, { color, width, dash }: Stroke): Mark[] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = hypot(dx, dy)
  if (length === 0) return []
  const head = Math.min(HEAD.length, length)
  const [ux, uy] = [dx / length, dy / length]
  const base: Point = [to[0] - head * ux, to[1] - head * uy]
  const half = HEAD.width / HEAD.length * head / 2
  return [
    { kind: 'path', points: [from, base], closed: false, stroke: { color, width, ...(dash ? { dash } : {}) }, fill: null },
    { kind: 'path', points: [to, [base[0] - half * uy, base[1] + half * ux], [base[0] + half * uy, base[1] - half * ux]], closed: true, stroke: null, fill: color },
  ]
}

/** A moment as three quarters of a circle with an arrow head, counter-clockwise on paper for `sign` > 0. */
export function turn(center: Point, radius: number, sign: number, stroke: Stroke): Mark[] {
  const [from, sweep, steps] = [-PI / 4, 1.5 * PI, 24]
  const at = (angle: number): Point => [center[0] + radius * cos(angle), center[1] - radius * sin(angle)]
  const angles = Array.from({ length: steps + 1 }, (_, k) => from + (sign > 0 ? k : -k) * sweep / steps + (sign > 0 ? 0 : PI / 2 + sweep - PI / 2))
  const points = angles.map(at)
  const [tip, before] = [points.at(-1)!, points.at(-3)!]
  return [
    { kind: 'path', points: points.slice(0, -1), closed: false, stroke, fill: null },
    ...arrow(before, tip, { color: stroke.color, width: stroke.width }),
  ]
}

/** A force perpendicular to the paper: a dot towards the viewer, a cross away from the viewer. */
export function across(center: Point, towards: boolean, { color, width }: Stroke): Mark[] {
  const radius = 5
  const ring: Mark = { kind: 'circle', center, radius, stroke: { color, width }, fill: null }
  if (towards) return [ring, { kind: 'circle', center, radius: 1.6, stroke: null, fill: color }]
  const d = radius * Math.SQRT1_2
  const line = (sign: 1 | -1): Mark => ({
    kind: 'path', points: [[center[0] - d, center[1] - sign * d], [center[0] + d, center[1] + sign * d]], closed: false, stroke: { color, width }, fill: null,
  })
  return [ring, line(1), line(-1)]
}

/** The largest of 1, 2 or 5 times a power of ten that is not greater than x. */
export function roundBelow(x: number): number {
  const [, exponent] = x.toExponential(0).split('e') as [string, string]
  const candidates = [-1, 0].flatMap(less => [1, 2, 5].map(digit => Number(`${digit}e${Number(exponent) + less}`)))
  return Math.max(...candidates.filter(candidate => candidate <= x * (1 + 1e-12)))
}
