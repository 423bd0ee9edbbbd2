/** Problems of heaps for the solvers: balls in a box, supported by each other and by the floor. */

import { Rows } from '../../../../../../core/contact/rows'
import { ROW_FRICTION, ROW_UNILATERAL } from '../../../../../../core/lcp/problem'
import { addScaled, cross, distanceSquared, dot, normalize, perpendicular, scale, sub, type Vec3 } from '../../../../../../core/math/vector'
import type { StepProblem } from '../../../../../../core/methods/time-stepping/step-problem'
import { between, random } from '../../../collision/random'

export const BODIES = 60
const FRICTION = 0.5
/** kg m² for 1 kg. */
const INERTIA = 0.1

/**
 * Balls thrown into a box as high as it is wide, each held up by those that it touches and by the floor, the guess none.
 *
 * @param turn share of a body's size by which the gaps' points have moved against those that are pushed
 */
export function heapProblem(seed: number, turn: number, bodies = BODIES): StepProblem {
  const next = random(seed)
  const side = 3 * Math.sqrt(bodies / BODIES)
  const center = Array.from({ length: bodies }, (): Vec3 => [side * between(next, 0, 1), side * between(next, 0, 1), 3 * between(next, 0, 1)])
  const contacts: { a: number, b: number, point: Vec3, normal: Vec3 }[] = []
  center.forEach((position, a) => {
    if (position[2] < 0.6) contacts.push({ a, b: -1, point: [position[0], position[1], 0], normal: [0, 0, 1] })
    for (let b = 0; b < a; b++) {
      const other = center[b]!
      if (distanceSquared(position, other) > 0.8) continue
      contacts.push({ a, b, point: scale(addScaled(position, other, 1), 0.5), normal: normalize(sub(position, other)) })
    }
  })
  const count = 3 * contacts.length
  const rows = new Rows(count)
  rows.count = count
  const gradient = new Float64Array(12 * count)
  const slotA = new Int32Array(count)
  const slotB = new Int32Array(count)
  const b = new Float64Array(count)
  const fill = (J: Float64Array, row: number, body: number, sign: number, at: number, point: Vec3, direction: Vec3): void => {
    if (body < 0) return
    const moment = cross(sub(point, center[body]!), direction)
    for (let k = 0; k < 3; k++) {
      J[12 * row + at + k] = sign * direction[k]!
      J[12 * row + at + 3 + k] = sign * moment[k]!
    }
  }
  contacts.forEach(({ a, b: other, point, normal }, c) => {
    const tangent = perpendicular(normal)
    const shift: Vec3 = [between(next, -turn, turn), between(next, -turn, turn), between(next, -turn, turn)]
    const fall = other < 0 ? -1 : -0.2 * between(next, 0, 1)
    ;[normal, tangent, cross(normal, tangent)].forEach((direction, r) => {
      const row = 3 * c + r
      slotA[row] = a
      slotB[row] = other
      fill(rows.jacobian, row, a, 1, 0, point, direction)
      fill(rows.jacobian, row, other, -1, 6, point, direction)
      const moved = r === 0 ? addScaled(point, shift, 1) : point
      fill(gradient, row, a, 1, 0, moved, direction)
      fill(gradient, row, other, -1, 6, moved, direction)
      b[row] = -fall * (r === 0 ? 1 : dot(direction, [1, 0, 0]))
    })
  })
  for (let k = 0; k < 12 * count; k++) rows.inverseMassJacobian[k] = rows.jacobian[k]! / (k % 6 < 3 ? 1 : INERTIA)
  return {
    rows, gradient: turn > 0 ? gradient : rows.jacobian, kind: Uint8Array.from({ length: count }, (_, i) => i % 3 === 0 ? ROW_UNILATERAL : ROW_FRICTION),
    lower: new Float64Array(count), upper: new Float64Array(count),
    friction: contacts.map((_, c) => ({ normal: 3 * c, tangent1: 3 * c + 1, tangent2: 3 * c + 2, staticFriction: FRICTION, dynamicFriction: FRICTION, state: 'static', slip1: 0, slip2: 0 })),
    spin: [], alternatives: [], b, p: new Float64Array(count), basis: new Uint8Array(count), slip: new Float64Array(count), warm: false, pivotingFailed: false,
    eliminated: { value: null }, bodyCount: bodies, slotA, slotB,
    secondSlotA: new Int32Array(0), secondSlotB: new Int32Array(0),
  }
}
