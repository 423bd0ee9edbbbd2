import { collections, elementsOf, type ElementOf, type Place } from '../ids'
import type { Path } from '../path'
import { problem, type Problem } from '../problem'
import type { Collection } from '../schema/field'
import { limits } from '../schema/scene'
import type { Body, Scene } from '../types'
import { checkBody } from './body'
import type { RuleContext } from './context'
import { checkDeformable } from './deformable'
import { checkForce, checkScript } from './force'
import { checkGroup } from './group'
import { checkJoint } from './joint'
import { BEFORE_ALL, checkKeyTimes } from './keys'
import { checkMeshAsset, checkPixels, checkTexture } from './visual'
import { checkParameter } from './parameter'
import { checkInstance, checkOverridesUsed, checkPrefab } from './prefab'
import { checkSensor } from './sensor'
import { checkMaterial, checkPair, checkPairsUnique } from './material'
import { verticesOfDeformable } from './vertex-count'

/** Rules of single elements that a schema cannot express. */
export function checkElement<C extends Collection>(context: RuleContext, collection: C, element: ElementOf[C], path: Path): void {
  const check = checks[collection] as (context: RuleContext, element: ElementOf[C], path: Path) => void
  check(context, element, path)
}

const checks: { [C in Collection]: (context: RuleContext, element: ElementOf[C], path: Path) => void } = {
  materials: checkMaterial, bodies: checkBody, deformables: checkDeformable, joints: checkJoint, forces: checkForce,
  sensors: checkSensor, parameters: checkParameter, scripts: checkScript,
  groups: checkGroup, prefabs: checkPrefab, instances: checkInstance, meshes: checkMeshAsset, textures: checkTexture,
}

/** Rules of the whole document that a schema cannot express. */
export function checkDocument(context: RuleContext): void {
  const { scene } = context
  checkCounts(context)
  checkIdsUnique(context)
  for (const collection of collections) {
    elementsOf(scene, collection).forEach((element, i) => checkElement(context, collection, element, [collection, i]))
  }
  scene.materialPairs?.forEach((pair, i) => checkPair(context, pair, ['materialPairs', i]))
  checkPairsUnique(context)
  checkOverridesUsed(context)
  checkGravityKeys(context)
  checkPixels(context)
}

export const checkGravityKeys = (context: RuleContext): void => checkKeyTimes(context, context.scene.gravityKeys ?? [], BEFORE_ALL, ['gravityKeys'], [])

export function takenId(path: Path, id: string, by: Place): Problem {
  return problem('DuplicateId', path, `The id "${id}" is already that of ${by.collection}[${by.index}]`, { value: id, allowed: 'an id unique in the document', ids: [id] })
}

export function checkIdsUnique({ scene, list }: RuleContext): void {
  const seen = new Map<string, Place>()
  for (const collection of collections) {
    elementsOf(scene, collection).forEach(({ id }, index) => {
      const before = seen.get(id)
      if (!before) {
        seen.set(id, { collection, index })
        return
      }
      list.add(takenId([collection, index, 'id'], id, before))
    })
  }
}

export function checkCounts({ scene, list }: RuleContext): void {
  const count = (collection: Collection | 'materialPairs', most: number) => {
    const n = scene[collection]?.length ?? 0
    if (n > most) list.report('TooMany', [collection], `The scene has ${n} ${collection}`, { value: n, allowed: `at most ${most}` })
  }
  count('bodies', limits.bodies)
  for (const collection of ['materials', 'materialPairs', 'deformables', 'joints', 'forces', 'sensors', 'parameters', 'scripts', 'groups', 'prefabs', 'instances', 'meshes', 'textures'] as const) {
    count(collection, limits.elements)
  }
  const vertices = countVertices(scene)
  if (vertices > limits.vertices) {
    list.report('TooMany', ['bodies'], `The shapes and meshes have ${vertices} vertices in all`, { value: vertices, allowed: `at most ${limits.vertices}` })
  }
  const particles = scene.deformables?.reduce((sum, deformable) => sum + verticesOfDeformable(deformable), 0) ?? 0
  if (particles > limits.particles) {
    list.report('TooMany', ['deformables'], `The deformables have ${particles} vertices in all`, { value: particles, allowed: `at most ${limits.particles}` })
  }
  const shapes = scene.bodies?.reduce((sum, body) => sum + (body.shapes?.length ?? 0), 0) ?? 0
  const visuals = scene.bodies?.reduce((sum, body) => sum + (body.visuals?.length ?? 0), 0) ?? 0
  if (visuals > limits.elements) list.report('TooMany', ['bodies'], `The bodies have ${visuals} visuals in all`, { value: visuals, allowed: `at most ${limits.elements}` })
  if (shapes > limits.elements) list.report('TooMany', ['bodies'], `The bodies have ${shapes} shapes in all`, { value: shapes, allowed: `at most ${limits.elements}` })
}

/** Vertices and points of all shapes, convex pieces and meshes. */
export function countVertices(scene: Scene): number {
  const shown = scene.meshes?.reduce((sum, { vertices }) => sum + vertices.length, 0) ?? 0
  return scene.bodies?.reduce((sum, body) => sum + verticesOf(body), shown) ?? shown
}

function verticesOf(body: Body): number {
  let n = 0
  for (const shape of body.shapes ?? []) {
    if (shape.type === 'convexHull') n += shape.points.length
    else if (shape.type === 'polyhedron') n += shape.vertices.length
    else if (shape.type === 'mesh') {
      n += shape.vertices?.length ?? 0
      for (const piece of shape.pieces ?? []) n += piece.points.length
    }
  }
  return n
}
