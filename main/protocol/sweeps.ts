/** Sweeps: many runs of a scene with some values changed. Plain data, shared by the command line, the editor and workers on other machines. */
import type { Problem } from './problem'

/** Values of a parameter. `count` null: any number in the range, for sampling designs only. */
export type ParameterValues =
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly count: number | null; readonly scale: 'linear' | 'log' }
  | { readonly kind: 'list'; readonly values: readonly unknown[] }

export interface SweepParameter {
  /** Name of its column; default: the path. */
  readonly name: string
  /** Paths in the scene that get its value, e.g. `materials.wax.friction.static`; none if only `lets` use it. */
  readonly paths: readonly string[]
  readonly values: ParameterValues
}

/** A path in the scene that gets the value of an expression of the parameters. */
export interface SweepLet {
  readonly path: string
  readonly expression: string
}

/** Combination of parameters: all combinations; the first values of all, then the second; or a number of samples. */
export type SweepDesign =
  | { readonly kind: 'grid' | 'list' }
  | { readonly kind: 'latin' | 'sobol'; readonly count: number; readonly seed: number }

/** Which trajectories are kept. */
export type SweepKeep = { readonly kind: 'all' | 'failed' | 'none' } | { readonly kind: 'where'; readonly expression: string }

export interface SweepScene {
  readonly name: string
  readonly text: string
}

export interface SweepPlan {
  readonly scenes: readonly SweepScene[]
  readonly parameters: readonly SweepParameter[]
  readonly lets: readonly SweepLet[]
  readonly design: SweepDesign
  /** Expressions separated by commas. */
  readonly measures: string
  readonly keep: SweepKeep
  /** s of wall clock and MB per run; null: no limit. */
  readonly timeLimit: number | null
  readonly memoryLimit: number | null
}

/** How a run of a sweep ended: like any run, refused before its first frame, terminated, or lost with its thread or process. */
export const SWEEP_STATUSES = ['completed', 'stopped', 'refused', 'timeLimit', 'memoryLimit', 'failed'] as const
export type SweepStatus = (typeof SWEEP_STATUSES)[number]

/** Result of one run. Its parameters follow from the plan and the run's number. */
export interface SweepRow {
  /** From 0: one scene after another, each with all points of the design. */
  readonly run: number
  readonly status: SweepStatus
  /** Name of the reason if it did not complete; else empty. */
  readonly reason: string
  readonly message: string
  /** Hash of the scene that was run; empty if it was refused. */
  readonly sceneHash: string
  /** Hash of the last frame. */
  readonly finalHash: string
  /** s */
  readonly simulatedTime: number
  readonly frames: number
  readonly steps: number
  /** By measure; null without a value. */
  readonly measures: readonly (number | null)[]
  /** Name of the trajectory that was kept; empty if none was. */
  readonly kept: string
  /** s: the only value that differs between machines. */
  readonly wallTime: number
}

/** Progress of a sweep. */
export interface SweepProgress {
  readonly total: number
  readonly done: number
  /** Number of finished runs that did not complete. */
  readonly failed: number
  readonly running: number
  /** Runs per second since the start or resumption, and s left at this rate; null before the first. */
  readonly rate: number | null
  readonly timeLeft: number | null
}

/** Size of a plan before it runs. */
export interface SweepSize {
  readonly runs: number
  /** Names of the measures. */
  readonly measures: readonly string[]
}

export type SweepState = 'running' | 'completed' | 'cancelled' | 'failed'

/** A sweep of the editor. Also cancelled if its process ended; it can be resumed. */
export interface SweepInfo {
  /** Identifies the computation: the same plan has the same id. */
  readonly id: string
  /** Given by the user. */
  readonly name: string
  readonly state: SweepState
  /** ms since the epoch. */
  readonly createdAt: number
  readonly progress: SweepProgress
  readonly parameters: readonly SweepColumn[]
  readonly measures: readonly { readonly name: string; readonly text: string }[]
  /** Why it failed. */
  readonly problem: Problem | null
  /** Hash of all results without wall times; null until all are there. */
  readonly contentHash: string | null
}

/** A parameter's column in the results. */
export interface SweepColumn {
  readonly name: string
  readonly paths: readonly string[]
}

/** A run's row with the values of its parameters. */
export interface SweepResult {
  readonly row: SweepRow
  readonly values: readonly unknown[]
}
