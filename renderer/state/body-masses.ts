import { bodyMasses, type BodyMasses } from '../../core/analysis/body-masses'
import { resolveScene, type Scene } from '../../core/scene'

const known = new WeakMap<Scene, BodyMasses>()

/** Masses of a run's bodies, needed to read its frames. */
export function massesOf(scene: Scene): BodyMasses {
  let masses = known.get(scene)
  if (!masses) known.set(scene, masses = bodyMasses(resolveScene(scene)))
  return masses
}
