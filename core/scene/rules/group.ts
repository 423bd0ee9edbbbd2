import { elementById } from '../ids'
import type { Path } from '../path'
import type { Group } from '../types'
import { requireReference, type RuleContext } from './context'

/** The group of bodies, groups and instances must exist. Contents of an instance are in the instance, or in groups that belong to it. */
export function checkMember(context: RuleContext, member: { readonly id: string; readonly group?: string }, path: Path): void {
  const inInstance = member.group !== undefined && member.id.startsWith(`${member.group}.`) && elementById(context.scene, 'instances', member.group)
  if (member.group !== undefined && !inInstance) requireReference(context, 'groups', member.group, [...path, 'group'], member.id)
}

/** No group may contain itself. */
export function checkGroup(context: RuleContext, group: Group, path: Path): void {
  checkMember(context, group, path)
  const passed = new Set([group.id])
  for (let above = group.group; above !== undefined;) {
    if (passed.has(above)) {
      context.list.report('GroupInItself', [...path, 'group'], `The group "${group.id}" is inside itself`, {
        value: group.group, allowed: 'a group that is not inside this one', ids: [group.id],
      })
      return
    }
    passed.add(above)
    above = elementById(context.scene, 'groups', above)?.group
  }
}
