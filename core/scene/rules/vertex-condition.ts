import type { Path } from '../path'
import type { Deformable, VertexCondition } from '../types'
import { requireDirection, type RuleContext } from './context'
import { checkCurve } from './curve'

/** Largest number of problems reported for one deformable. */
export const MAX_PROBLEMS = 20

/** Reports a vertex that does not exist. */
export function requireVertex({ list }: RuleContext, vertex: number, count: number, path: Path, owner: string): boolean {
  if (vertex < count) return true
  list.report('InvalidVertex', path, `There is no vertex ${vertex}: "${owner}" has ${count}`, { value: vertex, allowed: `0 to ${count - 1}`, ids: [owner] })
  return false
}

/** Behaviours and constraints of a deformable with this number of vertices. */
export function checkConditions(context: RuleContext, { id, behaviours = [], constraints = [] }: Deformable, count: number, path: Path): void {
  behaviours.forEach(({ condition }, i) => { checkCondition(context, condition, count, [...path, 'behaviours', i, 'condition'], id) })
  constraints.forEach(({ condition }, i) => {
    const where = [...path, 'constraints', i, 'condition']
    checkCondition(context, condition, count, where, id)
    if (condition.type !== 'distance' || condition.distance !== 0) return
    context.list.report('OutOfRange', [...where, 'distance'], 'A distance of 0 has no direction; use the type coincide', { value: 0, allowed: 'more than 0', ids: [id] })
  })
}

function checkCondition(context: RuleContext, condition: VertexCondition, count: number, path: Path, id: string): void {
  const { list } = context
  if (list.problems.length >= MAX_PROBLEMS) return
  if (condition.type === 'point') {
    requireVertex(context, condition.vertex, count, [...path, 'vertex'], id)
    return
  }
  const { vertices } = condition
  vertices.forEach((vertex, k) => {
    const where = [...path, 'vertices', k]
    if (!requireVertex(context, vertex, count, where, id) || vertices.indexOf(vertex) === k) return
    list.report('InvalidVertex', where, `Vertex ${vertex} is in the condition twice`, { value: vertex, allowed: 'each vertex once', ids: [id] })
  })
  if (condition.type === 'line') requireDirection(context, condition.direction, [...path, 'direction'], id)
  if (condition.type === 'plane') requireDirection(context, condition.normal, [...path, 'normal'], id)
  if (condition.type === 'curve') checkCurve(context, condition.curve, [...path, 'curve'], id)
}
