import { equalJson } from '../equal'
import { elementsOf } from '../ids'
import type { MaterialPair, Scene } from '../types'

const isBetween = (pair: MaterialPair, a: string, b: string) =>
  (pair.materials[0] === a && pair.materials[1] === b) || (pair.materials[0] === b && pair.materials[1] === a)

const law = ({ materials: _, ...law }: MaterialPair) => law

/**
 * Materials of a prefab that the scene also has, with the same id, values and pairs: they become those of the scene, so that its pairs with other
 * materials hold for the prefab.
 */
export function sharedMaterials(own: Scene, prefab: Scene): ReadonlySet<string> {
  const mine = new Map(elementsOf(own, 'materials').map(material => [material.id, material]))
  const shared = new Set(elementsOf(prefab, 'materials').filter(material => equalJson(material, mine.get(material.id))).map(({ id }) => id))
  const isKept = (pair: MaterialPair) => {
    const [a, b] = pair.materials
    return shared.has(a) && shared.has(b) && own.materialPairs?.some(one => isBetween(one, a, b) && equalJson(law(one), law(pair))) === true
  }
  for (let before = -1; before !== shared.size;) {
    before = shared.size
    for (const pair of prefab.materialPairs ?? []) if (!isKept(pair)) for (const id of pair.materials) shared.delete(id)
  }
  return shared
}
