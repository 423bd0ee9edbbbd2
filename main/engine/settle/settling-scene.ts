/** The scene in which chosen bodies fall and come to rest on the others. */

import type { Body, Scene } from '../../../core/scene'

/** s: bodies that have not come to rest by then stay where they are. */
export const MAX_DURATION = 20
/** Frames per second; the engine's steps between them do not depend on it. */
const RATE = 60

/**
 * Only gravity acts, restitution is zero, and bodies that were not selected are fixed. All joints hold. The selected bodies start at rest:
 * velocities, motors and forces of the document belong to its run, not to placing.
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
      duration: MAX_DURATION, outputRate: RATE, method: 'time-stepping', initialOverlap: 'refuse', timeStepping: { ...timeStepping, sleep: true },
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
