/** Instructions for a run of the tests: which tests, and either one fault, or the places to be marked in order to record which tests reach them. */
import type { Mutation } from './places'

export interface Order {
  /** Test files from the repository's root, in the order in which they run. */
  readonly tests: readonly string[]
  readonly fault?: Mutation
  readonly watched?: readonly Mutation[]
  /** By test file: the file that takes what it passes (`Reach`). */
  readonly records?: Readonly<Record<string, string>>
}

/** What one test file passes, and how long it takes; one that fails without a fault passes nothing. */
export interface Reach {
  /** Path from the repository's root. */
  readonly test: string
  /** s */
  readonly seconds: number
  /** Indices into the places watched. */
  readonly places: readonly number[]
}
