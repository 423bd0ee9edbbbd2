/** Access to the document as written, in which optional keys may be absent. The defaults are those of `core/scene/schema`. */

export type { Collection, ElementOf, Place } from '../../core/scene'
import type { Body, Force, Group, Instance, Joint, Material, Scene, Script, Shape } from '../../core/scene'
import type { Pose } from '../../core/math/pose'
import type { Quat } from '../../core/math/quaternion'
import type { Vec3 } from '../../core/math/vector'

export const EMPTY_SCENE: Scene = { format: 'cairn-scene', version: 1, name: 'Untitled', bodies: [] }

/** One shared empty array, so that an absent collection is always the same object. */
const NONE: readonly never[] = []

export const bodiesOf = (scene: Scene): readonly Body[] => scene.bodies ?? NONE
export const jointsOf = (scene: Scene): readonly Joint[] => scene.joints ?? NONE
export const forcesOf = (scene: Scene): readonly Force[] => scene.forces ?? NONE
export const materialsOf = (scene: Scene): readonly Material[] => scene.materials ?? NONE
export const scriptsOf = (scene: Scene): readonly Script[] => scene.scripts ?? NONE
export const groupsOf = (scene: Scene): readonly Group[] => scene.groups ?? NONE
export const instancesOf = (scene: Scene): readonly Instance[] => scene.instances ?? NONE
/** Containers of bodies: groups, and instances, which act as groups of their parts. */
export const containersOf = (scene: Scene): readonly Group[] => instancesOf(scene).length === 0 ? groupsOf(scene) : [...groupsOf(scene), ...instancesOf(scene)]
export const shapesOf = (body: Body): readonly Shape[] => body.shapes ?? NONE

export const positionOf = (thing: { position?: Vec3 }): Vec3 => thing.position ?? [0, 0, 0]
export const orientationOf = (thing: { orientation?: Quat }): Quat => thing.orientation ?? [0, 0, 0, 1]
export const poseOf = (thing: { position?: Vec3; orientation?: Quat }): Pose => ({ position: positionOf(thing), orientation: orientationOf(thing) })
export const typeOf = (body: Body): 'dynamic' | 'fixed' | 'kinematic' => body.type ?? 'dynamic'
export const colorOf = (material: Material | undefined): string => material?.color ?? '#8899aa'

/** Types whose name in the file is not a word. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  imu: 'inertial', pointOnCurve: 'point on curve', halfSpace: 'half-space', convexHull: 'convex hull',
}
/** The type of an element in words: a joint's, a force's, a sensor's. */
export const typeWord = (type: string): string => TYPE_WORDS[type] ?? type

/** Title for users: the name, else the id. */
export const titleOf = (thing: { id: string; name?: string }): string => thing.name || thing.id
