/** Runs a scene: checked, compiled, advanced by its method, and handed to a sink frame by frame. Synchronous; a host puts it in a worker. */

import type { World } from '../contact/world'
import { ScriptError, type ScriptRuntime } from '../dynamics/script-runtime'
import { ShapeError } from '../geometry/shape'
import { distance } from '../math/vector'
import { shortNumber } from '../math/short-number'
import { noCounts, StopError, type MethodCounts, type MethodEvent, type MethodFrame } from '../methods/method'
import { sceneHash, type ResolvedScene } from '../scene'
import type { TrajectoryEnd, TrajectoryHeader, TrajectorySink } from '../trajectory/frame'
import { check } from './check'
import { compile } from './compile'
import { scriptOutputOf } from './forces'
import { methodOf } from './method'
import { RefusedError, type Problem } from './problem'
import { Recording } from './recording'
import { ENGINE_VERSION } from './version'

export interface RunEnvironment {
  readonly sink: TrajectorySink & { header(header: TrajectoryHeader): void }
  /** Asked between steps. */
  cancelled(): boolean
  readonly scripts: ScriptRuntime
  /** Wall clock, s: `core` has none of its own. */
  now(): number
}

/**
 * Computes a whole run. A run that begins always ends with a `TrajectoryEnd`, whatever stops it.
 *
 * @throws RefusedError before the first frame: the scene is invalid, asks for what is not supported, overlaps, or a script does not compile
 */
export function simulate(source: string | object, environment: RunEnvironment): TrajectoryEnd {
  const { problems, scene } = check(source)
  if (scene === null) throw new RefusedError(problems.filter(problem => problem.severity === 'error'))
  const warnings = problems.map(problem => problem.message)
  const world = compiled(scene, environment.scripts)
  const { simulation } = scene
  const method = methodOf(scene, world)
  let { solver } = method
  const started = environment.now()
  environment.sink.header({
    engine: ENGINE_VERSION, sceneHash: sceneHash(scene), sceneName: scene.name ?? '', bodyIds: scene.bodies.map(body => body.id),
    jointIds: scene.joints.map(joint => joint.id), jointBodyA: Int32Array.from(world.joints, ({ constraint }) => constraint.bodyA),
    jointBodyB: Int32Array.from(world.joints, ({ constraint }) => constraint.bodyB), forceIds: scene.forces.map(force => force.id),
    weights: weightsOf(scene, world), duration: simulation.duration, outputRate: simulation.outputRate, method: method.name, solver,
    staticFriction: method.staticFriction,
  })
  let counts: MethodCounts = noCounts()
  let time = 0
  const recording = new Recording(world, environment.sink, () => counts, () => scriptOutputOf(world.forces))
  const finish = (status: TrajectoryEnd['status'], simulatedTime: number, why: { name: string; message: string; ids: readonly string[] } | null): TrajectoryEnd => ({
    status, reason: why?.name ?? '', message: why?.message ?? '', ids: why?.ids ?? [], simulatedTime, wallTime: environment.now() - started,
    frames: recording.frames, steps: counts.steps, finalHash: recording.finalHash,
    solver: { name: solver, calls: counts.solverCalls, basisHits: counts.basisHits, pivots: counts.pivots, maxContacts: counts.maxContacts },
    fallbacks: { count: counts.fallbacks, time: counts.fallbackTime }, warnings,
  })
  const contradicted = problems.filter(problem => problem.name === 'ContradictoryVelocities')
  const observer = {
    frame: (frame: Parameters<Recording['frame']>[0]): void => {
      time = frame.time
      if (frame.index === 0) for (const problem of contradicted) recording.event(correctionOf(problem, world, frame.snapshot))
      recording.frame(frame)
    },
    event: (event: Parameters<Recording['event']>[0]): void => recording.event(event),
  }
  try {
    const end = method.run({
      observer, cancelled: () => environment.cancelled(), started: running => { counts = running },
    })
    solver = end.solver ?? solver
    warnings.push(...end.warnings)
    return finish(end.status, end.simulatedTime, null)
  } catch (error) {
    const why = stopReason(error, scene)
    if (why === null) throw error
    return finish('stopped', why.time ?? time, why)
  }
}

/** The event that says of a joint what the initial velocities of its bodies have become. */
function correctionOf({ ids, message }: Problem, world: World, { motions }: MethodFrame['snapshot']): MethodEvent {
  const joint = world.joints.findIndex(({ constraint }) => constraint.id === ids[0])
  const { bodyA, bodyB } = world.joints[joint]!.constraint
  const changes = [bodyA, bodyB].filter(body => body >= 0).flatMap(body => {
    const { id, initial } = world.bodies[body]!
    const [v, w] = [distance(motions[body]!.velocity, initial.velocity), distance(motions[body]!.angularVelocity, initial.angularVelocity)]
    return v > 0 || w > 0 ? [`"${id}" by ${shortNumber(v)} m/s and ${shortNumber(w)} rad/s`] : []
  })
  return { kind: 'warning', time: 0, joint, bodyA, bodyB, message: changes.length === 0 ? message : `${message} (${changes.join(', ')})` }
}

/** m g, 3 a body, as `gravity` in `core/dynamics/forces` applies it. */
function weightsOf(scene: ResolvedScene, world: World): Float64Array {
  return Float64Array.from(world.bodies.flatMap(body => body.type === 'dynamic' ? scene.gravity.map(g => g * body.mass) : [0, 0, 0]))
}

function compiled(scene: ResolvedScene, scripts: ScriptRuntime): ReturnType<typeof compile> {
  try {
    return compile(scene, scripts)
  } catch (error) {
    if (error instanceof ScriptError) throw new RefusedError([scriptProblem(error, scene)])
    if (error instanceof ShapeError) throw new RefusedError([{ name: 'InvalidShape', severity: 'error', message: error.message, path: '', ids: [] }])
    throw error
  }
}

function scriptProblem(error: ScriptError, scene: ResolvedScene): Problem {
  const index = scene.scripts.findIndex(script => script.id === error.script)
  return {
    name: 'ScriptError', severity: 'error', message: error.message, path: `scripts[${index}].source`, ids: [error.script], line: error.line, column: error.column,
  }
}

function stopReason(error: unknown, scene: ResolvedScene): { name: string; message: string; ids: readonly string[]; time?: number } | null {
  if (error instanceof StopError) return { name: error.name, message: error.message, ids: error.ids, time: error.time }
  if (error instanceof ScriptError) {
    const where = error.line > 0 ? ` (line ${error.line}, column ${error.column})` : ''
    return { name: 'ScriptError', message: `${error.script}${where}: ${error.message}`, ids: scene.scripts.some(s => s.id === error.script) ? [error.script] : [] }
  }
  return null
}
