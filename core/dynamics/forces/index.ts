/** Forces by their type in the scene. Script forces are made by `scriptForce` from a loaded script, gravity by `gravity`. */

import type { RigidBody } from '../body'
import { attractor, type AttractorSpec } from './attractor'
import { drag, type DragSpec } from './drag'
import type { ForceElement } from './force'
import { keyframedForce, type KeyframedSpec } from './keyframed'
import { pointForce, type PointForceSpec } from './point'
import { spring, type SpringSpec } from './spring'
import { constantTorque, type TorqueSpec } from './torque'
import { uniformForce, type UniformSpec } from './uniform'
import { wind, type WindSpec } from './wind'

export type { ForceElement, WorkAccount, WrenchSink } from './force'
export { guideForce, guideOfParticles, GuideTrack, type GuideKey } from './guide'
export { gravity } from './gravity'
export { gravityChange, gravityChangeOnParticles } from './gravity-change'
export { ballDamping, type BallDampingSpec } from './joint-damping'
export { packBodies, scriptForce, type ScriptForce } from './script'

export type ForceSpec =
  | UniformSpec | PointForceSpec | TorqueSpec | DragSpec | SpringSpec | AttractorSpec | WindSpec | KeyframedSpec

export function forceElement(spec: ForceSpec, bodies: readonly RigidBody[]): ForceElement {
  switch (spec.type) {
    case 'uniform': return uniformForce(spec, bodies)
    case 'point': return pointForce(spec)
    case 'torque': return constantTorque(spec)
    case 'drag': return drag(spec, bodies)
    case 'spring': return spring(spec, bodies.map(body => body.initial))
    case 'attractor': return attractor(spec, bodies)
    case 'wind': return wind(spec, bodies)
    case 'keyframed': return keyframedForce(spec)
  }
}
