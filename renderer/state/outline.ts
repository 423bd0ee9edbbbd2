/** The rows of the outliner: the document's elements by kind, bodies below the groups that they are in. */

import { ref } from 'vue'
import type { Body, Group, Scene } from '../../core/scene'
import { bodiesOf, groupsOf, titleOf, type Collection } from './scene-access'

export interface Row {
  readonly id: string
  readonly title: string
  readonly detail: string
  readonly icon: string
  /** How many groups it is inside of. */
  readonly depth: number
  /** Of a group: whether its content is shown; absent for all else. */
  readonly open?: boolean
}

export interface Section {
  readonly collection: Collection
  readonly label: string
  readonly rows: readonly Row[]
  readonly total: number
}

const SECTIONS: readonly (readonly [Collection, string, string])[] = [
  ['bodies', 'Bodies', '◆'], ['deformables', 'Deformables', '▦'], ['joints', 'Joints', '⚭'], ['forces', 'Forces', '→'], ['materials', 'Materials', '●'], ['scripts', 'Scripts', '≡'],
  ['meshes', 'Meshes', '△'],
]

/** Groups whose content is folded away; as long as the window. */
export const foldedGroups = ref<ReadonlySet<string>>(new Set())

export function toggleGroup(id: string): void {
  const next = new Set(foldedGroups.value)
  if (!next.delete(id)) next.add(id)
  foldedGroups.value = next
}

/** @param wanted what is searched for, lower case; empty for all */
export function outlineOf(scene: Scene, wanted: string, folded: ReadonlySet<string>): Section[] {
  return SECTIONS.map(([collection, label, icon]): Section => {
    const elements = (scene[collection] ?? []) as readonly { id: string; name?: string; type?: string }[]
    const row = (one: (typeof elements)[number], depth = 0): Row => ({ id: one.id, title: titleOf(one), detail: one.type ?? '', icon, depth })
    const found = (one: (typeof elements)[number]) => `${one.id} ${one.name ?? ''} ${one.type ?? ''}`.toLowerCase().includes(wanted)
    if (wanted !== '') {
      const groups = collection === 'bodies' ? groupsOf(scene).filter(found).map(group => groupRow(group, 0, true)) : []
      return { collection, label, rows: [...groups, ...elements.filter(found).map(one => row(one))], total: elements.length }
    }
    const rows = collection === 'bodies' && groupsOf(scene).length > 0 ? treeOf(scene, folded, row) : elements.map(one => row(one))
    return { collection, label, rows, total: elements.length }
  }).filter(section => section.total > 0 || (section.collection === 'bodies' && groupsOf(scene).length > 0))
}

const groupRow = (group: Group, depth: number, open: boolean): Row => ({ id: group.id, title: titleOf(group), detail: 'group', icon: open ? '▾' : '▸', depth, open })

function treeOf(scene: Scene, folded: ReadonlySet<string>, bodyRow: (body: Body, depth: number) => Row): Row[] {
  const children = new Map<string | undefined, { groups: Group[]; bodies: Body[] }>()
  const of = (id: string | undefined) => {
    const known = children.get(id) ?? { groups: [], bodies: [] }
    children.set(id, known)
    return known
  }
  for (const group of groupsOf(scene)) of(group.group).groups.push(group)
  for (const body of bodiesOf(scene)) of(body.group).bodies.push(body)
  const rowsIn = (id: string | undefined, depth: number): Row[] => [
    ...of(id).groups.flatMap(group => {
      const open = !folded.has(group.id)
      return [groupRow(group, depth, open), ...open ? rowsIn(group.id, depth + 1) : []]
    }),
    ...of(id).bodies.map(body => bodyRow(body, depth)),
  ]
  return rowsIn(undefined, 0)
}
