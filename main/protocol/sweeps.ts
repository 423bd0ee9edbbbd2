/** Sweeps: many runs of a scene with some of its values changed. Plain data, as the command line, the editor and workers on other machines share it. */
import type { Problem } from './problem'

/** Values that a parameter takes. `count` null: any number of the range, for sampling designs only. */
export type ParameterValues =
  | { readonly kind: 'range'; readonly from: number; readonly to: number; readonly count: number | null; readonly scale: 'linear' | 'log' }
  | { readonly kind: 'list'; readonly values: readonly unknown[] }

export interface SweepParameter {
  /** Of its column; the path where none was given. */
  readonly name: string
  /** Places in the scene that take its value, e.g. `materials.wax.friction.static`; none where only `lets` use it. */
  readonly paths: readonly string[]
  readonly values: ParameterValues
}

/** A place in the scene that takes what an expression of the parameters gives. */
export interface SweepLet {
  readonly path: string
  readonly expression: string
}

/** How parameters are combined: all with all; the first values of all, then the second; or so many samples. */
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
  /** Expressions, parted by commas. */
  readonly measures: string
  readonly keep: SweepKeep
  /** s of wall clock and MB that one run may take; null: as much as it needs. */
  readonly timeLimit: number | null
  readonly memoryLimit: number | null
}

/** How a run of a sweep ended: as any run, or refused before its first frame, or ended from outside, or lost with its thread or process. */
export const SWEEP_STATUSES = ['completed', 'stopped', 'refused', 'timeLimit', 'memoryLimit', 'failed'] as const
export type SweepStatus = (typeof SWEEP_STATUSES)[number]

/** What is known of one run. Parameters follow from the plan and the run's number. */
export interface SweepRow {
  /** From 0: scenes one after another, each with all points of the design. */
  readonly run: number
  readonly status: SweepStatus
  /** Name of the reason, where it did not complete; empty otherwise. */
  readonly reason: string
  readonly message: string
  /** Of the scene as it was run; empty where it was refused. */
  readonly sceneHash: string
  /** Of the last frame. */
  readonly finalHash: string
  /** s */
  readonly simulatedTime: number
  readonly frames: number
  readonly steps: number
  /** By measure; null where there is no value. */
  readonly measures: readonly (number | null)[]
  /** Name of the trajectory that was kept; empty where none was. */
  readonly kept: string
  /** s: the only number that differs from machine to machine. */
  readonly wallTime: number
}

/** What has become of a sweep. */
export interface SweepProgress {
  readonly total: number
  readonly done: number
  /** Of those done, how many did not complete. */
  readonly failed: number
  readonly running: number
  /** Runs a second of this sitting, and s left at this rate; null before the first. */
  readonly rate: number | null
  readonly timeLeft: number | null
}

/** What a plan comes to, before anything runs. */
export interface SweepSize {
  readonly runs: number
  /** Names of the measures. */
  readonly measures: readonly string[]
}

export type SweepState = 'running' | 'completed' | 'cancelled' | 'failed'

/** A sweep of the editor's. Cancelled is also one whose process ended: it goes on where it stopped. */
export interface SweepInfo {
  /** The sweep's own name for what it computes: the same plan has the same. */
  readonly id: string
  /** Given by the person. */
  readonly name: string
  readonly state: SweepState
  /** ms since the epoch. */
  readonly createdAt: number
  readonly progress: SweepProgress
  readonly parameters: readonly SweepColumn[]
  readonly measures: readonly { readonly name: string; readonly text: string }[]
  /** Why it failed. */
  readonly problem: Problem | null
  /** Of all results but wall times, once all are there. */
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
