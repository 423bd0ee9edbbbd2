/**
 * What a script force needs of the place that runs it. The sandbox (QuickJS in WebAssembly) lives outside `core`, which must stay free of
 * anything asynchronous or platform-specific; `core/dynamics/forces/script` calls it through this face only.
 */

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

export interface LoadedScript {
  readonly id: string
  /** Sorted, s. */
  readonly breakpoints: readonly number[]
  /**
   * Calls the script's function once. `wrenches` is overwritten (not added to).
   * @throws ScriptError with line and column in the script's source: it threw, exceeded its budget, or produced a force that is not finite.
   */
  evaluate(time: number, state: Float64Array, wrenches: Float64Array): void
  /** What it plotted and logged in the last `evaluate`. */
  output(): ScriptOutput
}

export interface ScriptRuntime {
  /**
   * @param bodyIds in the order of the state's slices
   * @throws ScriptError when it does not compile or its module body throws
   */
  load(id: string, source: string, bodyIds: readonly string[], seed: number): LoadedScript
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
    /** What went wrong: it does not compile, threw, looped or allocated without end, or gave a force that is not finite. */
    readonly fault: 'compile' | 'throw' | 'budget' | 'memory' | 'value',
  ) {
    super(message)
  }
}
