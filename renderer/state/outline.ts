/** Rows of the outliner: the document's elements by type, bodies below their groups. */

import { ref } from 'vue'
import { ownerOf, ownersIn, type Body, type Group, type Material, type Scene } from '../../core/scene'
import type { Kind } from '../components/kind-icons'
import { bodiesOf, colorOf, containersOf, titleOf, typeWord, type Collection } from './scene-access'

export interface Row {
  readonly id: string
  readonly title: string
  /** The title as shown below the instance that created it. */
  readonly short: string
  readonly detail: string
  /** For groups: the sign that shows whether they are open. */
  readonly icon?: string
  /** For others: the kind that their icon shows. */
  readonly kind?: Kind
  /** Of a material. */
  readonly color?: string
  /** Number of groups around it. */
  readonly depth: number
  /** For groups: whether their content is shown; absent for others. */
  readonly open?: boolean
  /** Part of an instance: it can be changed only in the prefab's file. */
  readonly part: boolean
}

export interface Section {
  readonly collection: Collection
  readonly label: string
  readonly rows: readonly Row[]
  readonly total: number
}

const SECTIONS: readonly (readonly [Collection, string, Kind])[] = [
  ['bodies', 'Bodies', 'body'], ['deformables', 'Deformables', 'cloth'], ['joints', 'Joints', 'hinge'], ['forces', 'Forces', 'force'], ['sensors', 'Sensors', 'sensor'],
  ['parameters', 'Parameters', 'parameter'], ['materials', 'Materials', 'material'], ['scripts', 'Scripts', 'script'], ['prefabs', 'Prefabs', 'prefab'],
  ['meshes', 'Meshes', 'mesh'], ['textures', 'Textures', 'texture'],
]

/** A body of one shape is shown as that shape. */
const kindOf = (collection: Collection, one: { readonly type?: string; readonly shapes?: Body['shapes'] }, other: Kind): Kind => {
  if (collection === 'bodies') return one.shapes?.length === 1 ? one.shapes[0]!.type : other
  return collection === 'joints' || collection === 'deformables' ? one.type as Kind : other
}

/** Collapsed groups; kept until the window is closed. */
export const foldedGroups = ref<ReadonlySet<string>>(new Set())

export function toggleGroup(id: string): void {
  const next = new Set(foldedGroups.value)
  if (!next.delete(id)) next.add(id)
  foldedGroups.value = next
}

/** @param wanted search text in lower case; empty for all */
export function outlineOf(scene: Scene, wanted: string, folded: ReadonlySet<string>): Section[] {
  const owners = ownersIn(scene)
  const isPart = (id: string) => ownerOf(owners, id) !== null
  const shortOf = (one: { readonly id: string; readonly name?: string }) => one.name || one.id.slice((ownerOf(owners, one.id)?.length ?? -1) + 1)
  const instances = new Set(scene.instances?.map(({ id }) => id))
  const groupRow = (group: Group, depth: number, open: boolean): Row => ({
    id: group.id, title: titleOf(group), short: shortOf(group), detail: instances.has(group.id) ? 'prefab' : 'group', icon: open ? '▾' : '▸', depth, open, part: isPart(group.id),
  })
  return SECTIONS.map(([collection, label, kind]): Section => {
    const elements = (scene[collection] ?? []) as readonly { id: string; name?: string; type?: string; file?: string; color?: string; shapes?: Body['shapes'] }[]
    const row = (one: (typeof elements)[number], depth = 0): Row => (
      {
        id: one.id, title: titleOf(one), short: shortOf(one), detail: one.type ? typeWord(one.type) : one.file ?? '', kind: kindOf(collection, one, kind), depth, part: isPart(one.id),
        ...collection === 'materials' ? { color: colorOf(one as Material) } : {},
      }
    )
    const found = (one: (typeof elements)[number]) => `${one.id} ${one.name ?? ''} ${one.type ?? ''}`.toLowerCase().includes(wanted)
    if (wanted !== '') {
      const groups = collection === 'bodies' ? containersOf(scene).filter(found).map(group => groupRow(group, 0, true)) : []
      return { collection, label, rows: [...groups, ...elements.filter(found).map(one => row(one))], total: elements.length }
    }
    const rows = collection === 'bodies' && containersOf(scene).length > 0 ? treeOf(scene, folded, row, groupRow) : elements.map(one => row(one))
    return { collection, label, rows, total: elements.length }
  }).filter(section => section.total > 0 || (section.collection === 'bodies' && containersOf(scene).length > 0))
}

function treeOf(
  scene: Scene, folded: ReadonlySet<string>, bodyRow: (body: Body, depth: number) => Row, groupRow: (group: Group, depth: number, open: boolean) => Row,
): Row[] {
  const children = new Map<string | undefined, { groups: Group[]; bodies: Body[] }>()
  const of = (id: string | undefined) => {
    const known = children.get(id) ?? { groups: [], bodies: [] }
    children.set(id, known)
    return known
  }
  for (const group of containersOf(scene)) of(group.group).groups.push(group)
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
