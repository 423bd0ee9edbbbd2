import { elementById } from '../ids'
import type { Path } from '../path'
import type { Group } from '../types'
import { requireReference, type RuleContext } from './context'

/** Of bodies and groups alike: the group that they belong to is there. */
export function checkMember(context: RuleContext, member: { readonly id: string; readonly group?: string }, path: Path): void {
  if (member.group !== undefined) requireReference(context, 'groups', member.group, [...path, 'group'], member.id)
}

/** No group is inside itself. */
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
