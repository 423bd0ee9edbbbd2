/** Edits of materials and their pairs. */

import type { Material, MaterialPair, Scene } from '../../core/scene'
import { useDocument } from './document'
import { bodiesOf, titleOf } from './scene-access'
import { setAt } from './set-at'

/** Number of shapes per material. */
export function materialUses(scene: Scene): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const body of bodiesOf(scene)) for (const shape of body.shapes ?? []) uses.set(shape.material, (uses.get(shape.material) ?? 0) + 1)
  return uses
}

/** Assigns a material to all shapes of bodies, or to one shape of a body. */
export function assignMaterial(id: string, bodies: readonly string[], only?: number) {
  const document = useDocument()
  const material = document.element('materials', id)
  if (!material) return
  const wanted = new Set(bodies)
  document.edit(`make of ${titleOf(material).toLowerCase()}`, draft => {
    bodiesOf(document.scene).forEach((body, i) => {
      if (!wanted.has(body.id)) return
      body.shapes?.forEach((_, k) => { if (only === undefined || only === k) draft.bodies![i]!.shapes![k]!.material = id })
    })
  })
}

export function changeMaterial(id: string, key: keyof Material, value: unknown) {
  const document = useDocument()
  const place = document.place(id)
  if (place) document.edit(`change ${key}`, draft => setAt(draft.materials![place.index]!, [key], value))
}

const isPair = (pair: { materials: readonly [string, string] }, [a, b]: readonly [string, string]) =>
  (pair.materials[0] === a && pair.materials[1] === b) || (pair.materials[0] === b && pair.materials[1] === a)

const COEFFICIENTS = ['static', 'dynamic', 'torsional', 'rolling'] as const

/** Changes coefficients of a pair; undefined restores the combination of the two materials. A pair without coefficients is removed. */
export function changePair(ids: readonly [string, string], change: Partial<Record<typeof COEFFICIENTS[number] | 'restitution', number>>) {
  useDocument().edit('change pair', draft => {
    const pairs = draft.materialPairs ??= []
    let pair = pairs.find(one => isPair(one, ids)) as MaterialPair | undefined
    if (!pair) {
      pairs.push({ materials: [...ids] })
      pair = pairs.at(-1) as MaterialPair
    }
    for (const key of COEFFICIENTS) {
      if (!(key in change)) continue
      const friction = { ...pair.friction, [key]: change[key] }
      if (change[key] === undefined) delete friction[key]
      pair.friction = friction
    }
    if ('restitution' in change) {
      if (change.restitution === undefined) delete pair.restitution
      else pair.restitution = change.restitution
    }
    if (pair.friction && Object.keys(pair.friction).length === 0) delete pair.friction
    if (!pair.friction && pair.restitution === undefined) draft.materialPairs = pairs.filter(one => !isPair(one, ids))
  })
}

export function clearPair(ids: readonly [string, string]) {
  useDocument().edit('clear pair', draft => { draft.materialPairs = draft.materialPairs?.filter(pair => !isPair(pair, ids)) })
}
