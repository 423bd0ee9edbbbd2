/** Contents of a prefab's file, under their ids in the file. */
import { resolveScene } from '../resolve'
import type { Force, Scene } from '../types'
import { plainScene } from './plain'

export interface PrefabContent {
  readonly file: string
  /** The file's scene: its own instances are groups, its formulas numbers, and its forces list all objects that they act on. */
  readonly scene: Scene
}

const NO_FORCE: readonly Force[] = []

/** @param scene as read, with placed instances. Gravity, parameters and the simulation are those of the scene that contains the instance. */
export function contentOf(file: string, scene: Scene): PrefabContent {
  const plain = plainScene(scene)
  return { file, scene: { ...plain, forces: plain.forces === undefined ? [...NO_FORCE] : withTargets(plain, plain.forces) } }
}

/** A force on all bodies acts on all bodies of its own file, not on those of the scene that it is placed in. */
function withTargets(scene: Scene, forces: readonly Force[]): Force[] {
  const { forces: resolved } = resolveScene(scene)
  return forces.flatMap((force, i): Force[] => {
    const all = resolved[i]!
    if (!('bodies' in all) || !('deformables' in all)) return [force]
    if (all.bodies.length === 0 && all.deformables.length === 0) return []
    const { bodies: _, deformables: __, ...rest } = force as Force & { bodies?: string[]; deformables?: string[] }
    const lists = { ...all.bodies.length > 0 ? { bodies: all.bodies } : {}, ...all.deformables.length > 0 ? { deformables: all.deformables } : {} }
    return [{ ...rest, ...lists } as Force]
  })
}
