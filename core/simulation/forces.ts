/** From the scene's forces to force elements. */

import type { RigidBody } from '../dynamics/body'
import type { ForceElement } from '../dynamics/forces/force'
import type { ScriptOutput, ScriptRuntime } from '../dynamics/script-runtime'
import { dot, scale } from '../math/vector'
import type { ResolvedForce, ResolvedScene } from '../scene'
import { notSupported, type Problem } from './problem'

export function unsupportedForce(force: ResolvedForce, path: string): Problem[] {
  return [notSupported(`${path}.type`, force.type, force.type, [force.id])]
}

export function compileForces(scene: ResolvedScene, bodies: readonly RigidBody[], _scripts: ScriptRuntime | null): ForceElement[] {
  const g = scene.gravity
  return [{
    id: 'gravity', type: 'gravity', bodies: bodies.map(b => b.index), breakpoints: [],
    potential: motions => bodies.reduce((sum, b) => b.type === 'dynamic' ? sum - b.mass * dot(g, motions[b.index]!.center) : sum, 0),
    apply: (_t, motions, exists, sink) => {
      for (const b of bodies) if (b.type === 'dynamic' && exists[b.index]) sink.force(b.index, scale(g, b.mass), motions[b.index]!.center, 'potential')
    },
  }]
}

export function scriptOutputOf(_forces: readonly ForceElement[]): ScriptOutput | null {
  return null
}
