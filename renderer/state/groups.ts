/** Groups of bodies in the document: their members, and the edits that make and dissolve them. */

import { freshId, type Group, type Scene } from '../../core/scene'
import { useDocument } from './document'
import { bodiesOf, containersOf, groupsOf } from './scene-access'
import { useSelection } from './selection'

/** The group of a body or group and those around it, innermost first. */
export function groupsAround(scene: Scene, member: { readonly group?: string } | undefined): readonly Group[] {
  const groups = containersOf(scene)
  if (groups.length === 0) return []
  const found: Group[] = []
  for (let id = member?.group; id !== undefined;) {
    const group = groups.find(one => one.id === id)
    if (!group || found.includes(group)) break
    found.push(group)
    id = group.group
  }
  return found
}

/** Whether an element can contain others: a group or an instance. */
export const isContainer = (scene: Scene, id: string): boolean => containersOf(scene).some(one => one.id === id)

/** Ids of the group, of the groups inside it and of all their bodies. Bodies come first, before the elements that refer to them. */
export function contentsOf(scene: Scene, group: string): string[] {
  const inside = new Set([group])
  // A group may precede the one around it: repeat until no more are found.
  for (let before = 0; before !== inside.size;) {
    before = inside.size
    for (const one of containersOf(scene)) if (one.group !== undefined && inside.has(one.group)) inside.add(one.id)
  }
  const bodies = bodiesOf(scene).filter(body => body.group !== undefined && inside.has(body.group)).map(body => body.id)
  return [...bodies, ...[...inside].filter(id => id !== group), group]
}

/** Selection after a click on a body: its outermost group with all members, or the body alone. */
export function withItsGroup(scene: Scene, body: string): string[] {
  const outermost = groupsAround(scene, bodiesOf(scene).find(one => one.id === body)).at(-1)
  return outermost ? contentsOf(scene, outermost.id) : [body]
}

/** Whether an element can be moved into a group: it is not a body of it already, and it is not the group itself or one that contains it. */
export function mayEnter(scene: Scene, id: string, group: string | undefined): boolean {
  return group === undefined || !contentsOf(scene, id).includes(group)
}

export function useGroups() {
  const document = useDocument()
  const selection = useSelection()

  /** The selected bodies and groups, without those whose group is selected too. */
  function outermostSelected(): string[] {
    const { scene } = document
    return selection.ids.filter(id => {
      const member = document.element('bodies', id) ?? document.element('groups', id) ?? document.element('instances', id)
      return member !== undefined && !groupsAround(scene, member).some(group => selection.idSet.has(group.id))
    })
  }

  /** Puts the selection into a new group, inserted before its first member's former place. */
  function group() {
    const members = outermostSelected()
    const first = members[0] === undefined ? undefined : document.element('bodies', members[0]) ?? document.element('groups', members[0]) ?? document.element('instances', members[0])
    if (!first) return
    const id = freshId(document.scene, 'group')
    const done = document.edit('group', draft => {
      draft.groups = [...draft.groups ?? [], { id, name: nameFor(document.scene), ...first.group === undefined ? {} : { group: first.group } }]
      enter(draft, members, id)
    })
    if (done) selection.select(contentsOf(document.scene, id))
  }

  /** Dissolves the selected groups; their members keep their places. */
  function ungroup() {
    const gone = outermostSelected().filter(id => document.element('groups', id))
    const bodies = selection.bodies
    const dissolved = new Set(gone)
    const done = document.edit('ungroup', draft => {
      const above = new Map(groupsOf(document.scene).map(one => [one.id, one.group]))
      for (const collection of ['bodies', 'groups', 'instances'] as const) {
        document.scene[collection]?.forEach((member, i) => {
          if (member.group !== undefined && dissolved.has(member.group)) place(draft[collection]![i]!, above.get(member.group))
        })
      }
      draft.groups = draft.groups!.filter(one => !dissolved.has(one.id))
      if (draft.groups.length === 0) delete draft.groups
    })
    if (done) selection.select(bodies)
  }

  /** Moves bodies and groups into a group, or out of all groups. */
  function move(ids: readonly string[], group: string | undefined) {
    const members = ids.filter(id => mayEnter(document.scene, id, group))
    if (members.length > 0) document.edit(group === undefined ? 'take out of the group' : 'put into a group', draft => enter(draft, members, group))
  }

  function enter(draft: Scene, members: readonly string[], group: string | undefined) {
    for (const id of members) {
      const at = document.place(id)
      if (at?.collection === 'bodies' || at?.collection === 'groups' || at?.collection === 'instances') place(draft[at.collection]![at.index]!, group)
    }
  }

  const hasGroup = () => selection.ids.some(id => document.element('groups', id) !== undefined)
  return { group, ungroup, move, hasGroup, outermostSelected }
}

function place(member: { group?: string }, group: string | undefined): void {
  if (group === undefined) delete member.group
  else member.group = group
}

function nameFor(scene: Scene): string {
  const names = new Set(groupsOf(scene).map(one => one.name))
  for (let n = 1; ; n++) if (!names.has(`Group ${n}`)) return `Group ${n}`
}
