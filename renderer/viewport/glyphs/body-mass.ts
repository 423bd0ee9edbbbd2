/** Mass properties for glyphs, cached per body, since they are needed in every frame. */

import type { Body, Scene } from '../../../core/scene'
import { massOf as computeMass, type MassSummary } from '../../state/mass'

const known = new WeakMap<Body, { readonly materials: Scene['materials']; readonly mass: MassSummary | null }>()

/** Null if unknown: fixed bodies, bodies without shapes and override, invalid shapes. */
export function massOf(body: Body, scene: Scene): MassSummary | null {
  const found = known.get(body)
  if (found && found.materials === scene.materials) return found.mass
  const mass = computeMass(body, scene).properties
  known.set(body, { materials: scene.materials, mass })
  return mass
}
