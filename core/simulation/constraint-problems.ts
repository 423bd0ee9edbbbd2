/** Exact constraints on vertices that cannot hold from the start on: violated, without a direction, or more than the vertices have freedoms. */

import type { World } from '../contact/world'
import { distanceCondition, elementWorkspace, rankAt, type Condition } from '../deformables'
import { attachedPoints, heldBlocks } from '../methods/deformables/attachments'
import { conditionOf } from '../methods/deformables/conditions'
import { toOuter } from '../math/pose'
import { shortNumber } from '../math/short-number'
import type { Problem } from './problem'

/** Largest C at the start, × the size of the condition's vertices: values typed with six digits satisfy it. */
const VIOLATED = 1e-5
/** × the first: |∂C/∂x| at which a condition has no direction. */
const FLAT = 1e-9

export function constraintProblems(world: World): Problem[] {
  const problems: Problem[] = []
  if (world.deformables === null) return problems
  const { list, mass, points, firstPoint } = world.deformables
  const held = heldBlocks(attachedPoints(world), mass.length)
  const position = new Float64Array(3 * (firstPoint + points.length))
  position.set(world.deformables.position)
  const inverse = new Float64Array(firstPoint + points.length)
  inverse.set(mass.map((m, i) => held[i] === 1 ? 0 : 1 / m))
  // A point of a dynamic body counts as free, whatever else holds the body: too few constraints are refused, rather than too many.
  points.forEach(({ body, point }, k) => {
    const on = world.bodies[body]
    position.set(on === undefined ? point : toOuter(on.initial.pose, point), 3 * (firstPoint + k))
    if (on?.type === 'dynamic') inverse[firstPoint + k] = 1 / on.mass
  })
  const rank = rankAt(inverse, position)
  const constrained = new Set(list.flatMap(({ constraints }) => constraints.flatMap(({ condition: { particles } }) => [...particles])))
  for (const { strands } of list) {
    for (const { inextensible, particles, restLength } of strands) {
      if (!inextensible || !particles.some(particle => constrained.has(particle))) continue
      rank.add(distanceCondition(Int32Array.from({ length: 2 * restLength.length }, (_, k) => particles[(k + 1) >> 1]!), restLength))
    }
  }
  list.forEach(({ index, id, constraints }) => {
    constraints.forEach(({ condition, feedback }, i) => {
      const path = `deformables[${index}].constraints[${i}]`
      const one = conditionOf(condition, mass)
      const refuse = (message: string, allowed: string, value?: unknown): void => {
        problems.push({ name: 'InvalidConstraint', severity: 'error', message: `constraint ${i} of "${id}" ${message}`, path, ids: [id], allowed,
          ...value === undefined ? {} : { value } })
      }
      const { error, slope, size } = measured(one, position)
      if (!(slope > FLAT * powered(size, DIMENSION[condition.type] - 1))) {
        return refuse('has no direction at the start: its force is not defined there', 'vertices in a place where the condition changes with them')
      }
      if (feedback === null && error > VIOLATED * powered(size, DIMENSION[condition.type])) {
        return refuse(`does not hold at the start: it is off by ${shortNumber(error)}`, 'the value at the start, or feedback', error)
      }
      // On a curve one of the three rows follows from the others.
      const rows = one.count * (condition.type === 'curve' ? 2 : one.rows)
      const free = rank.add(one)
      if (free < rows) {
        refuse(`is over-determined: it has ${rows} ${rows === 1 ? 'equation' : 'equations'}, and other constraints and held vertices leave ${free} to satisfy`,
          'constraints that do not follow from each other, on vertices that can move', rows)
      }
    })
  })
  return problems
}

/** Exponent of lengths in the unit of C. */
const DIMENSION = { coincide: 1, distance: 1, point: 1, line: 1, plane: 1, curve: 1, centre: 1, angle: 0, area: 2, volume: 3 } as const

function powered(x: number, n: number): number {
  return n < 0 ? 1 / x : n === 0 ? 1 : x * powered(x, n - 1)
}

/** The largest |C| and the least |∂C/∂x| of the elements of a condition, and the extent of their vertices, m. */
function measured(condition: Condition, x: Float64Array): { error: number; slope: number; size: number } {
  const { C, J } = elementWorkspace([condition])
  const { count, rows, arity, vertices } = condition
  let [error, slope, size] = [0, Infinity, 0]
  for (let e = 0; e < count; e++) {
    condition.evaluate(e, x, C, J)
    let square = 0
    for (let k = 0; k < rows * 3 * arity; k++) square += J[k]! * J[k]!
    slope = Math.min(slope, Math.sqrt(square))
    for (let r = 0; r < rows; r++) error = Math.max(error, Math.abs(C[r]!))
    for (let a = 0; a < arity; a++) {
      for (let k = 0; k < 3; k++) {
        const apart = Math.abs(x[3 * vertices[e * arity + a]! + k]! - x[3 * vertices[e * arity]! + k]!)
        size = Math.max(size, arity === 1 ? 1 : apart)
      }
    }
  }
  return { error, slope, size: size > 0 ? size : 1 }
}
