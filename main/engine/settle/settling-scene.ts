/** The scene in which chosen bodies fall and come to rest on the others. */

import type { Body, Scene } from '../../../core/scene'

/** s: who has not come to rest by then is left where it is. */
export const LONGEST = 20
/** Frames a second; between them the engine steps as it always does. */
const RATE = 60

/**
 * Gravity alone acts, nothing bounces, and whoever is not chosen stands still. Joints among the chosen bodies hold; those to the others do too. The chosen
 * bodies begin at rest. Velocities, motors and forces of the document are for its run, not for placing.
 */
export function settlingScene(scene: Scene, chosen: ReadonlySet<string>): Scene {
  const material = <T extends { restitution?: number }>(one: T): T => ({ ...one, restitution: 0 })
  const moves = (id: string | null) => id !== null && chosen.has(id)
  const joints = (scene.joints ?? []).filter(joint => joint.type !== 'gear' && (moves(joint.bodyA) || moves(joint.bodyB))).map(joint => {
    const plain: Record<string, unknown> = { ...joint }
    delete plain.motor
    return plain as typeof joint
  })
  const { dimensions, timeStepping: { linearizations: _, ...timeStepping } = {} } = scene.simulation ?? {}
  return {
    ...scene, materials: (scene.materials ?? []).map(material), materialPairs: (scene.materialPairs ?? []).map(material),
    bodies: (scene.bodies ?? []).map(body => settled(body, chosen.has(body.id))), joints, forces: [], scripts: [],
    simulation: {
      duration: LONGEST, outputRate: RATE, method: 'time-stepping', initialOverlap: 'refuse', timeStepping: { ...timeStepping, sleep: true },
      ...(dimensions === undefined ? {} : { dimensions }),
    },
  }
}

function settled(body: Body, moves: boolean): Body {
  const still: Body = { ...body, type: moves ? 'dynamic' : 'fixed', spawnTime: 0 }
  delete still.linearVelocity
  delete still.angularVelocity
  if (!moves) delete still.mass
  return still
}
