import { elementById } from '../ids'
import type { Path } from '../path'
import type { Deformable, VertexCondition } from '../types'
import { requireDirection, requireReference, type RuleContext } from './context'
import { checkCurve } from './curve'
import { verticesOfDeformable } from './vertex-count'

/** Largest number of problems reported for one deformable. */
export const MAX_PROBLEMS = 20

/** Reports a vertex that does not exist. */
export function requireVertex({ list }: RuleContext, vertex: number, count: number, path: Path, owner: string): boolean {
  if (vertex < count) return true
  list.report('InvalidVertex', path, `There is no vertex ${vertex}: "${owner}" has ${count}`, { value: vertex, allowed: `0 to ${count - 1}`, ids: [owner] })
  return false
}

/** Behaviours and constraints of a deformable. */
export function checkConditions(context: RuleContext, deformable: Deformable, path: Path): void {
  const { behaviours = [], constraints = [] } = deformable
  behaviours.forEach(({ condition }, i) => { checkCondition(context, condition, deformable, [...path, 'behaviours', i, 'condition']) })
  constraints.forEach(({ condition }, i) => {
    const where = [...path, 'constraints', i, 'condition']
    checkCondition(context, condition, deformable, where)
    if (condition.type !== 'distance' || condition.distance !== 0) return
    context.list.report('OutOfRange', [...where, 'distance'], 'A distance of 0 has no direction; use the type coincide',
      { value: 0, allowed: 'more than 0', ids: [deformable.id] })
  })
}

/** Numbers of places that a condition takes; the others take any. */
const PLACES: Partial<Record<VertexCondition['type'], number>> = { distance: 2, coincide: 2, angle: 3, area: 3, volume: 4 }

function checkCondition(context: RuleContext, condition: VertexCondition, owner: Deformable, path: Path): void {
  const { list } = context
  const { id } = owner
  if (list.problems.length >= MAX_PROBLEMS) return
  if (condition.type === 'point') {
    requireVertex(context, condition.vertex, verticesOfDeformable(owner), [...path, 'vertex'], id)
    return
  }
  const { vertices, others = [] } = condition
  const needed = PLACES[condition.type]
  if (needed !== undefined && vertices.length + others.length !== needed) {
    const more = others.length === 0 ? '' : ` and ${others.length} of others`
    list.report('OutOfRange', [...path, 'vertices'], `The condition has ${vertices.length} of its vertices${more}`,
      { value: vertices, allowed: `${needed} with those of others`, ids: [id] })
  }
  const taken = new Set<string>()
  const take = (deformable: Deformable, vertex: number, where: Path): void => {
    if (!requireVertex(context, vertex, verticesOfDeformable(deformable), where, deformable.id)) return
    const key = `${deformable.id} ${vertex}`
    if (taken.has(key)) {
      list.report('InvalidVertex', where, `Vertex ${vertex} is in the condition twice`, { value: vertex, allowed: 'each vertex once', ids: [id] })
    }
    taken.add(key)
  }
  vertices.forEach((vertex, k) => { take(owner, vertex, [...path, 'vertices', k]) })
  others.forEach((other, k) => {
    const where = [...path, 'others', k]
    if (other.type === 'bodyPoint') return requireReference(context, 'bodies', other.body, [...where, 'body'], id)
    requireReference(context, 'deformables', other.deformable, [...where, 'deformable'], id)
    const found = elementById(context.scene, 'deformables', other.deformable)
    if (found) take(found, other.vertex, [...where, 'vertex'])
  })
  if (condition.type === 'line') requireDirection(context, condition.direction, [...path, 'direction'], id)
  if (condition.type === 'plane') requireDirection(context, condition.normal, [...path, 'normal'], id)
  if (condition.type === 'curve') checkCurve(context, condition.curve, [...path, 'curve'], id)
}
