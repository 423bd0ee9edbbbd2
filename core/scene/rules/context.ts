import { elementById, elementsOf, placeOf } from '../ids'
import { nearestName } from '../nearest'
import type { Path } from '../path'
import type { ProblemList } from '../problem'
import type { Collection } from '../schema/field'
import type { Scene } from '../types'
import { dot, length, type Vec3 } from '../../math/vector'

/** Input of the rules: the document as written, after the schema check. */
export interface RuleContext {
  readonly scene: Scene
  readonly list: ProblemList
}

const singular: Record<Collection, string> = { materials: 'material', bodies: 'body', deformables: 'deformable', joints: 'joint', forces: 'force',
  sensors: 'sensor', parameters: 'parameter', scripts: 'script', groups: 'group', prefabs: 'prefab', instances: 'instance', meshes: 'mesh', textures: 'texture' }

/** Reports an id that no element of the collection has. */
export function requireReference(context: RuleContext, collection: Collection, id: string | null, path: Path, owner?: string): void {
  const { scene, list } = context
  if (id === null || elementById(scene, collection, id)) return
  const elsewhere = placeOf(scene, id)
  const ids = elementsOf(scene, collection).map(element => element.id)
  const meant = nearestName(id, ids)
  const hint = elsewhere ? `; "${id}" is a ${singular[elsewhere.collection]}` : meant === null ? '' : `; did you mean "${meant}"?`
  list.report('UnknownReference', path, `There is no ${singular[collection]} "${id}"${hint}`, {
    value: id, allowed: ids.length === 0 ? `the scene has no ${collection}` : `one of ${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ', …' : ''}`,
    ids: owner === undefined ? [] : [owner],
  })
}

/** Reports a direction that is zero. */
export function requireDirection({ list }: RuleContext, vector: Vec3, path: Path, owner: string): void {
  if (length(vector) > 0) return
  list.report('ZeroVector', path, 'A direction cannot be zero', { value: vector, allowed: 'a vector other than [0, 0, 0]', ids: [owner] })
}

/** Cosine above which axes that must be perpendicular are reported: six digits are accurate enough. */
const PERPENDICULAR = 1e-6

/** Reports two directions that are not perpendicular. */
export function requirePerpendicular({ list }: RuleContext, a: Vec3, b: Vec3, path: Path, owner: string): void {
  const size = length(a) * length(b)
  if (size === 0 || Math.abs(dot(a, b)) <= PERPENDICULAR * size) return
  list.report('ParallelAxes', path, 'The two axes must be perpendicular', { value: b, allowed: 'a vector perpendicular to the other', ids: [owner] })
}
