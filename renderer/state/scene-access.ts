/** Reads of the document as written, where optional keys may be absent; the defaults are those of `core/scene/schema`. */

import type { Body, Force, Joint, Material, Scene, Script, Shape } from '../../core/scene'
import type { Pose } from '../../core/math/pose'
import type { Quat } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

export type Collection = 'materials' | 'bodies' | 'joints' | 'forces' | 'scripts'
export const COLLECTIONS: readonly Collection[] = ['materials', 'bodies', 'joints', 'forces', 'scripts']

/** Where an id lives in the document. */
export interface Place {
  readonly collection: Collection
  readonly index: number
}

export interface ElementOf {
  readonly materials: Material
  readonly bodies: Body
  readonly joints: Joint
  readonly forces: Force
  readonly scripts: Script
}

export const EMPTY_SCENE: Scene = { format: 'cairn-scene', version: 1, name: 'Untitled', bodies: [] }

/** Shared empty arrays, so that an absent collection has one identity. */
const NONE: readonly never[] = []

export const bodiesOf = (scene: Scene): readonly Body[] => scene.bodies ?? NONE
export const jointsOf = (scene: Scene): readonly Joint[] => scene.joints ?? NONE
export const forcesOf = (scene: Scene): readonly Force[] => scene.forces ?? NONE
export const materialsOf = (scene: Scene): readonly Material[] => scene.materials ?? NONE
export const scriptsOf = (scene: Scene): readonly Script[] => scene.scripts ?? NONE
export const shapesOf = (body: Body): readonly Shape[] => body.shapes ?? NONE

export const positionOf = (thing: { position?: Vec3 }): Vec3 => thing.position ?? [0, 0, 0]
export const orientationOf = (thing: { orientation?: Quat }): Quat => thing.orientation ?? [0, 0, 0, 1]
export const poseOf = (thing: { position?: Vec3; orientation?: Quat }): Pose => ({ position: positionOf(thing), orientation: orientationOf(thing) })
export const typeOf = (body: Body): 'dynamic' | 'fixed' | 'kinematic' => body.type ?? 'dynamic'
export const colorOf = (material: Material | undefined): string => material?.color ?? '#8899aa'

/** What a person calls it: its name, else its id. */
export const titleOf = (thing: { id: string; name?: string }): string => thing.name || thing.id

/** Id → place, for the whole document. O(n); rebuilt when a collection's identity changes. */
export function indexScene(scene: Scene): ReadonlyMap<string, Place> {
  const index = new Map<string, Place>()
  for (const collection of COLLECTIONS) {
    const elements = scene[collection]
    if (!elements) continue
    for (let i = 0; i < elements.length; i++) index.set(elements[i]!.id, { collection, index: i })
  }
  return index
}
