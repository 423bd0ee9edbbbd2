/** Runs a scene: checks and compiles it, advances it by its method, and passes each frame to a sink. Synchronous; a host runs it in a worker. */

import type { World } from '../contact/world'
import { elementsOf, type Deformable } from '../dynamics/deformable'
import { DegenerateJointError } from '../dynamics/joints'
import { ScriptError, type ScriptRuntime } from '../dynamics/script-runtime'
import { distance } from '../math/vector'
import { shortNumber } from '../math/short-number'
import { Cancelled, noCounts, StopError, type MethodCounts, type MethodEvent, type MethodFrame } from '../methods/method'
import { parseScene, sceneHash, type ParseResult, type ResolvedScene } from '../scene'
import type { TrajectoryEnd, TrajectoryHeader, TrajectorySink } from '../trajectory/frame'
import { Renumbering, type Numbered } from '../trajectory/renumbered'
import { checkParsed } from './check'
import { CHECKPOINT_WORK, encodeCheckpoint, type RecordingState } from './checkpoint'
import { forceIds, scriptOutputOf } from './forces'
import type { LiveTracks } from './live-tracks'
import type { RecordedInstant } from './instant'
import { methodOf } from './method'
import { Parts } from './parts'
import { RefusedError, type Problem } from './problem'
import { Recording } from './recording'
import { ENGINE_VERSION } from './version'

export interface RunEnvironment {
  readonly sink: TrajectorySink & { header(header: TrajectoryHeader): void }
  /** Called between steps. */
  cancelled(): boolean
  /** Receives a text on the progress of the work before the first frame. */
  preparing?(progress: string): void
  readonly scripts: ScriptRuntime
  /** Wall clock, s: `core` has no clock. */
  now(): number
  /** Where to start; absent: at 0. A checkpoint of this scene continues the run that wrote it; an instant starts a new run. */
  readonly start?: { readonly checkpoint: string } | { readonly instant: RecordedInstant }
  /** Work between checkpoints; default `CHECKPOINT_WORK`. Trajectories depend on it. */
  readonly checkpointWork?: number
  /** Guides and drives whose keys are appended during the run. */
  readonly live?: LiveTracks
}

/**
 * Computes a whole run. A started run always ends with a `TrajectoryEnd`, whatever stops it.
 *
 * @throws RefusedError before the first frame: the scene is invalid or unsupported, has overlap, or a script does not compile
 */
export function simulate(source: string | object, environment: RunEnvironment): TrajectoryEnd {
  return simulateParsed(parseScene(source), environment)
}

/** The same for a scene that the caller has parsed. */
export function simulateParsed(parsed: ParseResult, environment: RunEnvironment): TrajectoryEnd {
  const { problems, scene, world: checked } = checkParsed(parsed)
  if (scene === null || checked === null) throw new RefusedError(problems.filter(problem => problem.severity === 'error'))
  const parts = new Parts(scene, checked, environment.scripts, environment.live, environment.start)
  const { times } = parts.handovers
  let { known, world, start } = parts.first()
  let method = methodOf(known, world)
  let { solver } = method
  const started = environment.now()
  const header = headerOf(scene, times.length === 0 ? world : checked, method)
  environment.sink.header(header)
  let counts: MethodCounts = noCounts()
  /** Of the method. */
  let warned: readonly string[] = []
  let time = start.method?.time ?? 0
  const recordingOf = (carried: RecordingState | null): Recording => {
    const numbers = times.length === 0 ? null : new Renumbering(numberedIn(known, header), header)
    const made = new Recording(world, environment.sink, () => counts, () => scriptOutputOf(world), () => world.control?.carried ?? null, world.sensors, numbers)
    if (carried !== null) made.carried = carried
    return made
  }
  let recording = recordingOf(start.recording)
  const finish = (status: TrajectoryEnd['status'], simulatedTime: number,
    why: { name: string; message: string; ids: readonly string[] } | null): TrajectoryEnd => {
    const doubt = recording.audit.warning(counts.fallbacks > 0 ? 'time-stepping' : method.name)
    const warnings = [...problems.map(problem => problem.message), ...warned, ...doubt === null ? [] : [doubt]]
    return {
      status, reason: why?.name ?? '', message: why?.message ?? '', ids: why?.ids ?? [], simulatedTime, wallTime: environment.now() - started,
      frames: recording.frames, steps: counts.steps, finalHash: recording.finalHash,
      solver: { name: solver, calls: counts.solverCalls, basisHits: counts.basisHits, pivots: counts.pivots, maxContacts: counts.maxContacts },
      fallbacks: { count: counts.fallbacks, time: counts.fallbackTime }, warnings,
    }
  }
  const contradicted = problems.filter(({ name, ids }) => name === 'ContradictoryVelocities' && known.joints.some(({ id }) => id === ids[0]))
  const observer = {
    frame: (frame: Parameters<Recording['frame']>[0]): void => {
      time = frame.time
      if (frame.index === 0) for (const problem of contradicted) recording.event(correctionOf(problem, world, frame.snapshot))
      recording.frame(frame)
    },
    event: (event: Parameters<Recording['event']>[0]): void => recording.event(event),
    ...environment.live === undefined ? {} : { reached: (frame: () => MethodFrame): void => environment.live!.reached(recording.picture(frame())) },
  }
  const isDue = (work: number): boolean => work >= (environment.checkpointWork ?? CHECKPOINT_WORK) || times.includes(time) || environment.live?.ending === true
  try {
    for (;;) {
      const workBefore = start.method?.counts.work ?? 0
      const end = method.run({
        observer, cancelled: () => environment.cancelled(), preparing: progress => environment.preparing?.(progress),
        started: (running, said) => {
          counts = running
          warned = said
        },
        ...(start.method === null ? {} : { start: start.method }),
        pauses: () => isDue(counts.work - workBefore),
      })
      solver = end.solver ?? solver
      if (end.status !== 'paused') {
        warned = end.warnings
        return finish(end.status, end.simulatedTime, null)
      }
      const text = encodeCheckpoint({ method: end.next!, recording: recording.carried, controls: world.control?.carried ?? [] })
      environment.sink.checkpoint?.({ index: recording.frames - 1, time, state: text })
      if (environment.live?.ending === true) return finish('cancelled', time, null)
      ;({ known, world, start } = parts.from(text))
      const { finalHash } = recording
      recording = recordingOf(start.recording)
      recording.finalHash = finalHash
      method = methodOf(known, world)
    }
  } catch (error) {
    if (error instanceof Cancelled) return finish('cancelled', time, null)
    const why = stopReason(error, scene)
    if (why === null) throw error
    return finish('stopped', why.time ?? time, why)
  }
}

function headerOf(scene: ResolvedScene, world: World, method: ReturnType<typeof methodOf>): TrajectoryHeader {
  const { simulation } = scene
  return {
    engine: ENGINE_VERSION, sceneHash: sceneHash(scene), sceneName: scene.name ?? '', bodyIds: scene.bodies.map(body => body.id),
    jointIds: scene.joints.map(joint => joint.id), jointBodyA: Int32Array.from(world.joints, ({ constraint }) => constraint.bodyA),
    jointBodyB: Int32Array.from(world.joints, ({ constraint }) => constraint.bodyB),
    sensorIds: scene.sensors.map(({ id }) => id), sensorTypes: scene.sensors.map(({ type }) => type),
    forceIds: forceIds(scene),
    ...deformableCounts(world),
    weights: weightsOf(scene, world), duration: simulation.duration, outputRate: simulation.outputRate, method: method.name, solver: method.solver,
    staticFriction: method.staticFriction,
  }
}

function deformableCounts({ deformables }: World): Pick<TrajectoryHeader, 'deformableIds' | 'deformableParticles' | 'deformableElements' | 'deformableHeld'> {
  const list = deformables?.list ?? []
  const elements = ({ springs, strands, sheet }: Deformable): number =>
    (springs?.a.length ?? 0) + (sheet?.triangles.length ?? 0) / 3
    + strands.reduce((sum, { restLength, axial, inextensible }) => sum + (axial > 0 || inextensible ? restLength.length : 0), 0)
  return {
    deformableIds: list.map(({ id }) => id), deformableParticles: Int32Array.from(list, ({ count }) => count),
      deformableElements: Int32Array.from(list, elements),
    deformableHeld: Int32Array.from(list, ({ pins, attachments, sheet, controlled, constraints }) =>
      pins.length + attachments.length + (sheet?.seams.length ?? 0) / 2 + controlled.length
      + constraints.reduce((sum, { condition }) => sum + elementsOf(condition), 0)),
  }
}

function numberedIn({ bodies, joints }: ResolvedScene, { deformableIds }: TrajectoryHeader): Numbered {
  return { bodyIds: bodies.map(({ id }) => id), jointIds: joints.map(({ id }) => id), deformableIds }
}

/** The event that reports the correction of a joint's initial velocities. */
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

/** m g, 3 per body, as applied by `gravity` in `core/dynamics/forces`. */
function weightsOf(scene: ResolvedScene, world: World): Float64Array {
  return Float64Array.from(world.bodies.flatMap(body => body.type === 'dynamic' ? scene.gravity.map(g => g * body.mass) : [0, 0, 0]))
}

function stopReason(error: unknown, scene: ResolvedScene): { name: string; message: string; ids: readonly string[]; time?: number } | null {
  if (error instanceof StopError) return { name: error.name, message: error.message, ids: error.ids, time: error.time }
  if (error instanceof DegenerateJointError) return { name: 'UnsatisfiableConstraints', message: error.message, ids: [error.joint] }
  if (error instanceof ScriptError) {
    const where = error.line > 0 ? ` (line ${error.line}, column ${error.column})` : ''
    return { name: 'ScriptError', message: `${error.script}${where}: ${error.message}`, ids: scene.scripts.some(s => s.id === error.script) ? [error.script]
      : [] }
  }
  return null
}
