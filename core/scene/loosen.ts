/** What stays of elements that refer to removed ones. */

import type { Draft } from 'mutative'
import type { Body, Deformable, OtherPlace, VertexCondition } from './types'

/** Removes attachments of a deformable to removed bodies, and its conditions on removed deformables and bodies; hair keeps its roots, fixed in space. */
export function loosen(deformable: Draft<Deformable>, gone: ReadonlySet<string>): void {
  if (deformable.behaviours) deformable.behaviours = deformable.behaviours.filter(({ condition }) => staysWithout(condition, gone))
  if (deformable.constraints) deformable.constraints = deformable.constraints.filter(({ condition }) => staysWithout(condition, gone))
  if (deformable.attachments) deformable.attachments = deformable.attachments.filter(({ body }) => body === null || !gone.has(body))
  if (deformable.type !== 'hair') return
  for (const strand of deformable.strands) if (strand.body != null && gone.has(strand.body)) strand.body = null
}

/** Takes removed places out of a condition. @returns false if it is meaningless without them; lines, planes and curves hold each place by itself */
function staysWithout(condition: Draft<VertexCondition>, gone: ReadonlySet<string>): boolean {
  const isGone = (place: OtherPlace): boolean => gone.has((place.type === 'vertex' ? place.deformable : place.body) ?? '')
  if (condition.type === 'point' || condition.others?.some(isGone) !== true) return true
  if (condition.type !== 'line' && condition.type !== 'plane' && condition.type !== 'curve') return false
  condition.others = condition.others.filter(place => !isGone(place))
  if (condition.others.length === 0) delete condition.others
  return true
}

/** A body without other visuals is drawn by its shapes again. */
export function stopShowing(body: Draft<Body>, gone: ReadonlySet<string>): void {
  const visuals = body.visuals?.filter(visual => visual.type !== 'mesh' || !gone.has(visual.mesh)) ?? []
  for (const visual of visuals) if (visual.type === 'mesh' && gone.has(visual.texture ?? '')) delete visual.texture
  if (visuals.length > 0) body.visuals = visuals
  else delete body.visuals
}

export function withoutExceptions({ collision }: Draft<Body>, gone: ReadonlySet<string>): void {
  const except = collision?.except?.filter(id => !gone.has(id)) ?? []
  if (except.length > 0) collision!.except = except
  else delete collision!.except
}
