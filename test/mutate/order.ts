/** Instructions for a run of the tests: which tests, and either one fault, or the places to be marked in order to record which tests reach them. */
import type { Mutation } from './places'

export interface Order {
  /** Test files from the repository's root, in the order in which they run. */
  readonly tests: readonly string[]
  readonly fault?: Mutation
  readonly watched?: readonly Mutation[]
  /** By test file: path of its record (`Reach`). */
  readonly records?: Readonly<Record<string, string>>
}

/** Places that one test file reaches, and its time; a file that fails without a fault reaches nothing. */
export interface Reach {
  /** Path from the repository's root. */
  readonly test: string
  /** s */
  readonly seconds: number
  /** Indices into the places watched. */
  readonly places: readonly number[]
}
