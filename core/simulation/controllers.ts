/**
 * Controllers: scripts that are called at multiples of their period with the state just before the instant. Their forces and joint commands are
 * constant until the next call (zero-order hold). Their state is plain data, stored in checkpoints and frames, so that runs can resume at any of
 * them.
 */

import * as z from 'zod'
import type { ControlFrame, CoordinateCommand, JointElement, WorldControl } from '../contact/world'
import type { RigidBody } from '../dynamics/body'
import { packBodies } from '../dynamics/forces'
import { SCRIPT_BODY_STRIDE, SCRIPT_WRENCH_STRIDE, type ControlInputs, type JointCommand, type LoadedScript, type ScriptOutput } from '../dynamics/script-runtime'
import { add } from '../math/vector'
import type { Sensors } from './sensors'
import { decodeExactly } from './exact-json'

const joint = { joint: z.string(), coordinate: z.number().int().min(0) }
const limit = z.number().min(0).nullable()
const command = z.discriminatedUnion('kind', [
  z.object({ ...joint, kind: z.literal('velocity'), target: z.number(), limit }),
  z.object({ ...joint, kind: z.literal('force'), force: z.number() }),
  z.object({
    ...joint, kind: z.literal('position'), target: z.number(), velocity: z.number(), stiffness: z.number().min(0), damping: z.number().min(0), limit,
  }),
  z.object({ ...joint, kind: z.literal('release') }),
]) satisfies z.ZodType<JointCommand>

/** State of controllers between two calls, as stored in files. */
export const heldControls = z.array(z.object({
  script: z.string(),
  /** s, time of the last call. */
  time: z.number().min(0),
  /** JSON of its state. */
  own: z.string(),
  wrenches: z.array(z.number()),
  commands: z.array(command),
  plots: z.array(z.object({ name: z.string(), value: z.custom<number>(value => typeof value === 'number') })),
}))
export type HeldControl = z.infer<typeof heldControls>[number]

/** × the period: tolerated deviation of a time from a multiple of it, by rounding. */
const OFF_PERIOD = 1e-9

interface Controller {
  readonly script: LoadedScript
  readonly period: number
  readonly wrenches: Float64Array
  held: HeldControl | null
  /** Since the last frame. */
  logs: string[]
}

export class Controllers implements WorldControl {
  private readonly list: readonly Controller[]
  private readonly state: Float64Array

  /** @param scripts controllers, each with the buffer from which its force reads its wrenches */
  constructor(
    private readonly bodies: readonly RigidBody[], private readonly joints: readonly JointElement[], private readonly sensors: Sensors | null,
    private readonly deformables: readonly string[], scripts: readonly { readonly script: LoadedScript; readonly wrenches: Float64Array }[],
  ) {
    this.list = scripts.map(({ script, wrenches }) => ({ script, period: script.controller!.period, wrenches, held: null, logs: [] }))
    this.state = new Float64Array(bodies.length * SCRIPT_BODY_STRIDE)
  }

  instants(from: number, to: number): Iterable<number>[] {
    return this.list.map(({ period }) => multiples(period, from, to))
  }

  act(time: number, frame: () => ControlFrame): boolean {
    const due = this.list.filter(controller => isDue(controller, time))
    if (due.length === 0) return false
    const seen = frame()
    packBodies(this.bodies, seen.snapshot.motions, seen.snapshot.exists, this.state)
    const sight = this.sightOf(time, seen)
    for (const controller of due) {
      const { script, held } = controller
      const { own, wrenches, commands, output } = script.controller!.act(time, this.state, sight, held?.own ?? null)
      const all = merged(held?.commands ?? [], commands)
      this.hold(controller, { script: script.id, time, own, wrenches: [...wrenches], commands: all, plots: [...output.plots] })
      controller.logs.push(...output.logs)
    }
    this.command()
    return true
  }

  /** State of all controllers, for a resumed run. */
  get carried(): HeldControl[] {
    return this.list.flatMap(({ held }) => held === null ? [] : [held])
  }

  /** Restores the state of controllers; those without a state are called before anything moves. @throws RangeError if it does not fit the scene */
  set carried(list: readonly HeldControl[]) {
    for (const held of list) {
      const controller = this.list.find(({ script }) => script.id === held.script)
      if (controller === undefined) continue
      if (held.wrenches.length !== controller.wrenches.length) throw new RangeError(`the state of controller "${held.script}" belongs to a scene with other bodies`)
      this.hold(controller, held)
    }
    this.command()
  }

  /** The last plots, and the logs since the last query. */
  output(): ScriptOutput {
    const logs = this.list.flatMap(controller => controller.logs.splice(0))
    return { plots: this.list.flatMap(({ held }) => held?.plots ?? []), logs }
  }

  private hold(controller: Controller, held: HeldControl): void {
    controller.held = held
    controller.wrenches.set(held.wrenches)
  }

  /** Passes all commands to the joints. */
  private command(): void {
    for (const { coordinates } of this.joints) for (const elements of coordinates) elements.command = null
    for (const { held } of this.list) {
      for (const command of held?.commands ?? []) {
        const elements = this.joints.find(({ constraint }) => constraint.id === command.joint)?.coordinates[command.coordinate]
        if (elements === undefined) throw new RangeError(`the controller state refers to coordinate ${command.coordinate} of joint "${command.joint}", which does not exist`)
        elements.command = ofCoordinate(command)
      }
    }
  }

  private sightOf(time: number, frame: ControlFrame): ControlInputs {
    const { joints, contacts } = frame
    // Deformables are numbered after the bodies.
    const idOf = (owner: number): string => this.bodies[owner]?.id ?? this.deformables[owner - this.bodies.length]!
    return {
      sensors: this.sensors?.seen(time, frame) ?? [],
      joints: joints.map(({ position, velocity, secondPosition, secondVelocity, force, torque, motorForce }, k) => {
        const { constraint: { id }, coordinates } = this.joints[k]!
        const of = (first: number, second: number): number[] => [first, second].slice(0, coordinates.length)
        return { id, positions: of(position, secondPosition), velocities: of(velocity, secondVelocity), force, torque, motorForce }
      }),
      contacts: contacts.map(({ bodyA, bodyB, point, normal, normalForce, frictionForce, mode }) => ({
        bodyA: idOf(bodyA), bodyB: idOf(bodyB), point, normal, normalForce, mode,
        force: add([normalForce * normal[0], normalForce * normal[1], normalForce * normal[2]], frictionForce),
      })),
    }
  }
}

/** State of controllers from the text of a frame. @throws RangeError if invalid */
export function decodeControls(text: string | undefined): readonly HeldControl[] {
  if (text === undefined) return []
  let value: unknown
  try {
    value = decodeExactly(text)
  } catch (error) {
    throw new RangeError(`the controller state is damaged: ${(error as Error).message}`)
  }
  const parsed = heldControls.safeParse(value)
  const [issue] = parsed.success ? [] : parsed.error.issues
  if (!parsed.success) throw new RangeError(`the controller state is damaged: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  return parsed.data
}

/** State of controllers, adapted to a world with further bodies after the existing ones. */
export function controlsOver(held: readonly HeldControl[], bodies: readonly RigidBody[]): HeldControl[] {
  const length = bodies.length * SCRIPT_WRENCH_STRIDE
  return held.map(one => ({ ...one, wrenches: [...one.wrenches, ...new Array<number>(length - one.wrenches.length).fill(0)] }))
}

/** An empty buffer for a controller's data. */
export function noWrenches(bodies: readonly RigidBody[]): Float64Array {
  return new Float64Array(bodies.length * SCRIPT_WRENCH_STRIDE)
}

function* multiples(period: number, from: number, to: number): Generator<number> {
  for (let k = Math.floor(from / period); k * period <= to * (1 + OFF_PERIOD); k++) yield Math.min(k * period, to)
}

function isDue({ period, held }: Controller, time: number): boolean {
  if (held === null) return true
  return time > held.time && Math.abs(time - Math.round(time / period) * period) <= OFF_PERIOD * Math.max(period, time)
}

/** Earlier commands remain unless they are replaced. */
function merged(before: readonly JointCommand[], now: readonly JointCommand[]): JointCommand[] {
  const all = new Map([...before, ...now].map(command => [`${command.coordinate}/${command.joint}`, command]))
  return [...all.values()].filter(({ kind }) => kind !== 'release')
}

function ofCoordinate(command: JointCommand): CoordinateCommand | null {
  switch (command.kind) {
    case 'velocity': return { kind: 'velocity', targetVelocity: command.target, maxForce: command.limit ?? Infinity }
    case 'force': return command
    case 'position': {
      const wanted = { position: command.target, velocity: command.velocity }
      const { stiffness, damping, limit } = command
      return { kind: 'position', servo: { stiffness, damping, maxForce: limit ?? Infinity, moves: false, jumps: false, reference: () => wanted } }
    }
    case 'release': return null
  }
}
