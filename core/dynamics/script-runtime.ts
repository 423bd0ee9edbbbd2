/**
 * Interface between script forces and the sandbox that runs them. The sandbox (QuickJS in WebAssembly) is outside `core`, which must not contain
 * asynchronous and platform-specific code; `core/dynamics/forces/script` calls it through this interface only.
 */

import type { Vec3 } from '../math/vector'

/**
 * Doubles a body takes in the state handed to a script: position of the body frame 3 (m), orientation 4, velocity of the centre of mass 3 (m/s),
 * angular velocity 3 (rad/s), centre of mass 3 (m), mass 1 (kg; Infinity unless dynamic), exists 1 (0 before `spawnTime`).
 */
export const SCRIPT_BODY_STRIDE = 18

/** Doubles a body takes in a script's answer: force 3 (N), torque about the centre of mass 3 (N m), world frame. */
export const SCRIPT_WRENCH_STRIDE = 6

export interface ScriptOutput {
  readonly plots: readonly { readonly name: string; readonly value: number }[]
  readonly logs: readonly string[]
}

/** A joint in a controller's view: the numbers of `JointFrame` at the last instant. */
export interface ScriptJoint {
  readonly id: string
  /** rad or m, rad/s or m/s: one a coordinate. */
  readonly positions: readonly number[]
  readonly velocities: readonly number[]
  /** N and N m, on A at its anchor. */
  readonly force: Vec3
  readonly torque: Vec3
  /** N or N m: of motors and Coulomb friction. */
  readonly motorForce: number
}

/** A contact in a controller's view: bodies by id; point, m; normal from B to A; normal force and total force on A, N. */
export interface ScriptContact {
  readonly bodyA: string
  readonly bodyB: string
  readonly point: Vec3
  readonly normal: Vec3
  readonly normalForce: number
  readonly force: Vec3
  readonly mode: string
}

/** Input of a controller besides the bodies. */
export interface ControlInputs {
  readonly joints: readonly ScriptJoint[]
  readonly contacts: readonly ScriptContact[]
  /** By sensor: its id, and the values of its quantities by name. */
  readonly sensors: readonly ({ readonly id: string } & Readonly<Record<string, string | number | readonly number[]>>)[]
}

/** Command of a controller on one coordinate of a joint, valid until the next. Absent from JSON: infinite limits. */
export type JointCommand = { readonly joint: string; readonly coordinate: number } & (
  | { readonly kind: 'velocity'; readonly target: number; readonly limit: number | null }
  | { readonly kind: 'force'; readonly force: number }
  | { readonly kind: 'position'; readonly target: number; readonly velocity: number; readonly stiffness: number; readonly damping: number; readonly limit: number | null }
  | { readonly kind: 'release' }
)

export interface ControlAnswer {
  /** Its state for the next call: JSON. */
  readonly own: string
  /** `SCRIPT_WRENCH_STRIDE` a body, until the next call. */
  readonly wrenches: readonly number[]
  readonly commands: readonly JointCommand[]
  readonly output: ScriptOutput
}

/** The part of a script that is called at given instants. */
export interface ScriptController {
  /** s between calls, which are at whole multiples of it. */
  readonly period: number
  /**
   * Calls `control` once.
   *
   * @param state as for `evaluate`
   * @param own result of the last call; null before the first
   * @throws ScriptError
   */
  act(time: number, state: Float64Array, sight: ControlInputs, own: string | null): ControlAnswer
}

export interface LoadedScript {
  readonly id: string
  /** Sorted, s. */
  readonly breakpoints: readonly number[]
  /** Null if the script exports no `control`. */
  readonly controller: ScriptController | null
  /** Whether it exports a function that computes forces. */
  readonly computes: boolean
  /**
   * Calls the script's function once. `wrenches` is overwritten (not added to).
   * @throws ScriptError with line and column in the script's source: it threw, exceeded its budget, or produced a force that is not finite.
   */
  evaluate(time: number, state: Float64Array, wrenches: Float64Array): void
  /** Plots and logs of the last `evaluate`. */
  output(): ScriptOutput
}

/** Parameters as scripts see them, `ctx.parameters`. */
export interface ScriptParameters {
  readonly ids: readonly string[]
  /** Values at a time, s, in the order of the ids. */
  at(time: number): readonly number[]
}

export const NO_PARAMETERS: ScriptParameters = { ids: [], at: () => [] }

export interface ScriptRuntime {
  /**
   * @param bodyIds in the order of the state's slices
   * @param parameters of the scene; none if absent
   * @throws ScriptError if it does not compile or its module body throws
   */
  load(id: string, source: string, bodyIds: readonly string[], seed: number, parameters?: ScriptParameters): LoadedScript
  dispose(): void
}

export class ScriptError extends Error {
  override readonly name = 'ScriptError'

  constructor(
    message: string,
    readonly script: string,
    /** 1-based, in the script's source; 0 where unknown. */
    readonly line: number,
    readonly column: number,
    /** Failure of a script: it does not compile, threw, exceeded its budget of steps or memory, or gave a force that is not finite. */
    readonly fault: 'compile' | 'throw' | 'budget' | 'memory' | 'value',
  ) {
    super(message)
  }
}
