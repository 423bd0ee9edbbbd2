/** Compiles the scene's forces to force elements. */

import type { JointElement } from '../contact/world'
import type { RigidBody } from '../dynamics/body'
import {
  ballDamping, forceElement, gravity, gravityChange, gravityChangeOnParticles, guideForce, guideOfParticles, GuideTrack, scriptForce, type ForceElement,
  type ForceSpec, type ScriptForce,
} from '../dynamics/forces'
import { particleForce, particleGravity, type ParticleForce } from '../dynamics/forces/particles'
import type { DeformableReaction } from '../dynamics/forces/deformable-reaction'
import type { Deformables } from '../dynamics/deformable'
import { NO_PARAMETERS, type LoadedScript, type ScriptOutput, type ScriptRuntime } from '../dynamics/script-runtime'
import { GRAVITY_CHANGE } from '../trajectory/owner'
import { noWrenches, type Controllers } from './controllers'
import { interactionForce, isInteraction, withoutBodies } from './interactions'
import type { ResolvedForce, ResolvedScene } from '../scene'
import { gravityTrack, hasGravityTrack, parameterTrack, type LiveTracks } from './live-tracks'

/** A controller, and the buffer from which its force reads its wrenches. */
export interface ControllingScript {
  readonly script: LoadedScript
  readonly wrenches: Float64Array
}

/**
 * @param scripts null if the world is only inspected: script forces are omitted
 * @param controlling receives the controllers
 */
export function compileForces(scene: ResolvedScene, bodies: readonly RigidBody[], scripts: ScriptRuntime | null,
  joints: readonly JointElement[], reactions: readonly DeformableReaction[], deformables: Deformables | null,
  controlling: ControllingScript[], live?: LiveTracks): ForceElement[] {
  const indices = new Map(bodies.map(body => [body.id, body.index]))
  const loaded = new Map<string, LoadedScript>()
  const values = parameterTrack(scene, live)
  const parameters = values === null ? NO_PARAMETERS : { ids: scene.parameters.map(({ id }) => id), at: (time: number) => values.at(time) }
  const load = (runtime: ScriptRuntime, id: string): LoadedScript => {
    let script = loaded.get(id)
    if (script === undefined) {
      const { source } = scene.scripts.find(candidate => candidate.id === id)!
      script = runtime.load(id, source, bodies.map(body => body.id), scene.simulation.seed, parameters)
      loaded.set(id, script)
    }
    return script
  }
  const particles = firstParticles(deformables)
  const elements: ForceElement[] = [gravity(scene.gravity, bodies)]
  for (const force of scene.forces) {
    if (force.type === 'guide') continue
    if (isInteraction(force)) elements.push(withoutBodies(force))
    else if (force.type !== 'script') elements.push(forceElement(specOf(force, indices), bodies))
    else if (scripts !== null) {
      const first = !loaded.has(force.script)
      const script = load(scripts, force.script)
      const held = first && script.controller !== null ? noWrenches(bodies) : null
      if (held !== null) controlling.push({ script, wrenches: held })
      elements.push(scriptForce(force.id, script, bodies, held, values?.times ?? []))
    }
  }
  // In the order of `forceIds`.
  elements.push(...reactions)
  const field = gravityTrack(scene, live)
  if (field !== null) elements.push(gravityChange(GRAVITY_CHANGE, scene.gravity, field, bodies))
  for (const force of scene.forces) {
    if (force.type === 'guide') elements.push(guideForce(force.id, trackOf(force, indices, particles, live), bodies.length))
  }
  scene.joints.forEach((joint, k) => {
    if (joint.type !== 'ball' || joint.damping === 0) return
    elements.push(ballDamping({
      id: joint.id, bodyA: indexOf(joint.bodyA, indices), bodyB: indexOf(joint.bodyB, indices), damping: joint.damping, broken: () => joints[k]!.broken,
    }))
  })
  return elements
}

/**
 * Ids of the forces that a run can record, in the order of their numbers. Guides are last: a live session has more of them than the scene that is
 * kept of it, and the others have the same numbers in both.
 */
export function forceIds(scene: ResolvedScene): string[] {
  const { forces, deformables } = scene
  const of = (guides: boolean): string[] => forces.filter(({ type }) => (type === 'guide') === guides).map(({ id }) => id)
  return [...of(false), ...deformables.map(({ id }) => id), ...hasGravityTrack(scene) ? [GRAVITY_CHANGE] : [], ...of(true)]
}

/** Loads on the particles of a world: weight, and all forces of the scene on deformables. */
export function compileParticleForces(scene: ResolvedScene, bodies: readonly RigidBody[], deformables: Deformables, live?: LiveTracks): ParticleForce[] {
  const indices = new Map(bodies.map(body => [body.id, body.index]))
  const places = new Map(deformables.list.map(({ id, index }) => [id, index]))
  const forces: ParticleForce[] = [particleGravity(scene.gravity, deformables)]
  const field = gravityTrack(scene, live)
  if (field !== null) forces.push(gravityChangeOnParticles(scene.gravity, field, deformables))
  for (const force of scene.forces) {
    if (force.type === 'guide') forces.push(guideOfParticles(trackOf(force, indices, firstParticles(deformables), live)))
    if (!('deformables' in force)) continue
    const found = isInteraction(force) ? interactionForce(force, deformables, places)
      : particleForce(specOf(force, indices), deformables, force.deformables.map(id => places.get(id)!))
    if (found !== null) forces.push(found)
  }
  return forces
}

/** Plots and logs of all scripts from their last call, and of controllers since the last frame; null in a scene without scripts. */
export function scriptOutputOf({ forces, control }: { readonly forces: readonly ForceElement[]; readonly control: Controllers | null }): ScriptOutput | null {
  const outputs = forces.filter((force): force is ScriptForce => force.type === 'script').map(force => force.output())
  if (outputs.length === 0) return null
  if (control !== null) outputs.push(control.output())
  return { plots: outputs.flatMap(output => output.plots), logs: outputs.flatMap(output => output.logs) }
}

/** The first particle of each deformable, by its id. */
const firstParticles = (deformables: Deformables | null): ReadonlyMap<string, number> => new Map(deformables?.list.map(({ id, first }) => [id, first]))

function trackOf({ id, keys }: Extract<ResolvedForce, { type: 'guide' }>, indices: ReadonlyMap<string, number>, particles: ReadonlyMap<string, number>,
  live: LiveTracks | undefined): GuideTrack {
  const make = (): GuideTrack => new GuideTrack(keys.map(key => ({
    ...key, body: indexOf(key.body, indices), on: indexOf(key.on ?? null, indices), length: key.length ?? null,
    particle: key.deformable === undefined ? -1 : particles.get(key.deformable)! + (key.particle ?? 0),
  })))
  return live?.guide(id, make) ?? make()
}

/** The same force with bodies by index; −1 is the world. */
function specOf(force: Exclude<ResolvedForce, { type: 'script' | 'guide' | 'pair' | 'lennard-jones' }>, indices: ReadonlyMap<string, number>): ForceSpec {
  const replaced: Record<string, unknown> = { ...force }
  for (const key of ['body', 'bodyA', 'bodyB']) {
    if (key in force) replaced[key] = indexOf(replaced[key] as string | null, indices)
  }
  if ('bodies' in force) replaced.bodies = force.bodies.map(id => indices.get(id)!)
  return replaced as unknown as ForceSpec
}

function indexOf(id: string | null, indices: ReadonlyMap<string, number>): number {
  return id === null ? -1 : indices.get(id)!
}
