/** Unsupported features of a scene: refused with a clear message, or reported if the run continues without them. */

import { isKnownShape } from '../analysis/solids'
import type { OtherPlace, ResolvedScene, ResolvedVertexCondition } from '../scene'
import { SOLVERS } from '../lcp'
import { CONTACT_MODELS } from '../methods/time-stepping/contact-models'
import { methodName } from './method'
import { notSupported, type Problem } from './problem'

export function unsupported(scene: ResolvedScene): Problem[] {
  return [...unsupportedParts(scene), ...unsupportedSettings(scene), ...leftOut(scene)]
}

/** Settings that the method ignores; the run continues and reports them. */
function leftOut(scene: ResolvedScene): Problem[] {
  const { simulation: { branch }, materials, materialPairs } = scene
  const method = methodName(scene)
  const problem = (path: string, what: string, value: unknown): Problem => ({
    name: 'NotSupported', severity: 'warning', path, value, ids: [], message: `the ${method} method ignores ${what}`,
  })
  const problems: Problem[] = []
  if (method !== 'event-driven' && branch.length > 0) problems.push(problem('simulation.branch', 'the choice among several motions', branch))
  if (method !== 'penalty') return problems
  const properties = [...materials, ...materialPairs]
  if (properties.some(({ restitution = 0 }) => restitution > 0)) problems.push(problem('materials', 'restitution', undefined))
  if (properties.some(({ friction }) => friction?.static !== undefined && friction.dynamic !== undefined && friction.static > friction.dynamic)) {
    problems.push(problem('materials', 'static friction: its contacts hold by dynamic friction only', undefined))
  }
  return problems
}

function unsupportedParts(scene: ResolvedScene): Problem[] {
  const problems: Problem[] = []
  scene.bodies.forEach((body, i) => body.shapes.forEach((shape, j) => {
    if (!isKnownShape(shape)) problems.push(notSupported(`bodies[${i}].shapes[${j}].type`, `shapes of type ${shape.type}`, shape.type, [body.id]))
  }))
  scene.forces.forEach((force, i) => {
    if (force.type === 'attractor' && force.body !== null && force.deformables.length > 0) {
      problems.push(notSupported(`forces[${i}].deformables`, 'attraction of deformables to a body', force.deformables, [force.id],
        'a centre in the world, or bodies only'))
    }
  })
  scene.deformables.forEach((deformable, i) => problems.push(...unsupportedOf(deformable, `deformables[${i}]`, scene)))
  return problems
}

/** Conditions with a direction of their own at each place; a joint holds a body on a line, in a plane or on a curve. */
const WITH_BODY_POINTS: readonly string[] = ['distance', 'coincide', 'angle', 'area', 'volume']

type BodyPlace = Extract<OtherPlace, { type: 'bodyPoint' }>

/** Points of bodies in a condition, with their index among others. */
function bodyPoints(condition: ResolvedVertexCondition): [number, BodyPlace][] {
  return condition.type === 'point' ? [] : condition.others.flatMap((place, k): [number, BodyPlace][] => place.type === 'bodyPoint' ? [[k, place]] : [])
}

function unsupportedOf(deformable: ResolvedScene['deformables'][number], path: string, { bodies }: ResolvedScene): Problem[] {
  const changes = (body: string | null): boolean => bodies.some(({ id, spawnTime, removeTime }) => id === body && (spawnTime > 0 || removeTime !== undefined))
  const { id, attachments } = deformable
  const problems: Problem[] = [
    ...deformable.behaviours.flatMap(({ condition }, k) => bodyPoints(condition).map(([at]) => notSupported(
      `${path}.behaviours[${k}].condition.others[${at}].type`, 'points of bodies in behaviours', 'bodyPoint', [id], 'vertex; constraints take points of bodies'))),
    ...deformable.constraints.flatMap(({ condition, feedback }, k) => bodyPoints(condition).flatMap(([at, { body }]) => {
      const where = `${path}.constraints[${k}].condition.others[${at}]`
      if (feedback !== undefined) return notSupported(`${path}.constraints[${k}].feedback`, 'feedback of constraints on points of bodies', feedback, [id], 'none')
      if (!WITH_BODY_POINTS.includes(condition.type)) {
        return notSupported(`${where}.type`, `points of bodies in conditions of the type ${condition.type}`, 'bodyPoint', [id],
          `vertex; points of bodies in the types ${WITH_BODY_POINTS.join(', ')}`)
      }
      return changes(body) ? notSupported(`${where}.body`, 'constraints on points of bodies that appear or disappear', body, [id, body!], 'a body that exists throughout') : []
    })),
  ]
  attachments.forEach(({ body }, k) => {
    if (body !== null && changes(body)) {
      problems.push(notSupported(`${path}.attachments[${k}].body`, 'attachments to bodies that appear or disappear', body, [id, body],
        'a body that exists throughout'))
    }
  })
  return problems
}

function unsupportedSettings(scene: ResolvedScene): Problem[] {
  const { simulation } = scene
  const { method, eventDriven, timeStepping, initialOverlap } = simulation
  const problems: Problem[] = []
  const only = (path: string, what: string, value: string, ...allowed: string[]): void => {
    if (!allowed.includes(value)) problems.push(notSupported(`simulation.${path}`, `${what} ${value}`, value, [], allowed.join(', ')))
  }
  if (method === 'time-stepping') only('timeStepping.contactModel', 'contact model', timeStepping.contactModel, ...CONTACT_MODELS)
  if (methodName(scene) === 'time-stepping') {
    const { solver, frictionCone } = timeStepping
    if (solver === 'slack') only('timeStepping.frictionCone', 'the mixed problem in slack variables with a friction cone that is', frictionCone, 'polyhedral')
    if (frictionCone === 'polyhedral' && (solver === 'lemke' || solver === 'dantzig' || solver === 'slack')) problems.push(...spinFriction(scene, 'polyhedral cones by pivoting'))
  }
  if (simulation.coordinates === 'reduced') problems.push(...unsupportedReduced(scene))
  if (eventDriven.flatSpots !== undefined && methodName(scene) !== 'event-driven') {
    problems.push(notSupported('simulation.eventDriven.flatSpots', `zeroth-order impacts by the ${methodName(scene)} method, whose steps cross flat spots without them`,
      eventDriven.flatSpots, [], 'none, or the method event-driven'))
  }
  if (simulation.coordinates === 'reduced') problems.push(...comingJoints(scene))
  if (methodName(scene) === 'penalty') only('initialOverlap', 'initial overlap with springs, which always overlap,', initialOverlap, 'refuse')
  if (methodName(scene) !== 'time-stepping' && scene.deformables.length > 0) {
    problems.push(notSupported('simulation.method', `deformables by the method ${method}, which has no particles`, method,
      scene.deformables.map(({ id }) => id), 'auto, time-stepping'))
  }
  if (methodName(scene) === 'penalty' && simulation.penalty.joints !== undefined) problems.push(...changingJoints(scene))
  only('eventDriven.solver', 'solver', eventDriven.solver, ...SOLVERS.map(solver => solver.name))
  return problems
}

/** Solvers that support trees: those that form the matrix of an island. */
const DENSE: readonly string[] = ['auto', 'dantzig', 'lemke', 'slack']

function unsupportedReduced(scene: ResolvedScene): Problem[] {
  const { simulation: { timeStepping: { solver } }, deformables } = scene
  const method = methodName(scene)
  if (method === 'penalty') {
    return [notSupported('simulation.coordinates', 'reduced coordinates by the penalty method', 'reduced', [], 'maximal, or the method event-driven or time-stepping')]
  }
  if (method === 'event-driven') return []
  const problems: Problem[] = []
  if (deformables.length > 0) {
    problems.push(notSupported('simulation.coordinates', 'reduced coordinates with deformables', 'reduced', deformables.map(({ id }) => id), 'maximal'))
  }
  if (!DENSE.includes(solver)) {
    problems.push(notSupported('simulation.timeStepping.solver', `reduced coordinates with the solver ${solver}, which forms no matrix,`, solver, [], DENSE.join(', ')))
  }
  return problems
}

function comingJoints({ joints }: ResolvedScene): Problem[] {
  return joints.flatMap((joint, i) => joint.type === 'gear' || joint.spawnTime === undefined ? []
    : [notSupported(`joints[${i}].spawnTime`, 'joints that appear later, in reduced coordinates', joint.spawnTime, [joint.id], 'none, or the coordinates maximal')])
}

function changingJoints({ joints }: ResolvedScene): Problem[] {
  return joints.flatMap((joint, i) => (['breakForce', 'breakTorque', 'spawnTime', 'removeTime'] as const).filter(key => joint.type !== 'gear' && joint[key] !== undefined)
    .map(key => notSupported(`joints[${i}].${key}`, `${key.startsWith('break') ? 'breaking' : 'appearing and disappearing'} of joints that are springs`, joint.type === 'gear' ? undefined : joint[key], [joint.id],
      'none, or simulation.penalty without joints')))
}

/** Torsional and rolling friction: the pyramid applies to sliding friction only. */
function spinFriction(scene: ResolvedScene, what: string): Problem[] {
  return ([[scene.materials, 'materials'], [scene.materialPairs, 'materialPairs']] as const).flatMap(([list, path]) => list.flatMap((material, i) =>
    (['torsional', 'rolling'] as const).filter(key => (material.friction?.[key] ?? 0) > 0).map(key => notSupported(
      `${path}[${i}].friction.${key}`, `${key} friction with ${what}`, material.friction![key], 'id' in material ? [material.id] : [], '0'))))
}
