/** What a run of the tests is told: which tests, and either one fault, or places of which it is recorded which tests pass them. */
import type { Mutation } from './places'

export interface Order {
  /** Test files from the repository's root, in the order in which they run. */
  readonly tests: readonly string[]
  readonly fault?: Mutation
  readonly watched?: readonly Mutation[]
  /** File that takes a line (`Reach`) for each test file. */
  readonly record?: string
}

/** What one test file passes, and how long it takes. */
export interface Reach {
  /** Path from the repository's root. */
  readonly test: string
  /** s */
  readonly seconds: number
  /** Indices into the places watched. */
  readonly places: readonly number[]
}
