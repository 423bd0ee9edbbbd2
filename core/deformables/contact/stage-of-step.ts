/** One of the stages of a step. */
export interface StageOfStep {
  readonly index: 1 | 2
  /** s: coefficient of the stage, a. */
  readonly length: number
  /** Forces of contacts in this stage ÷ those in the stage before, if they persist. */
  readonly contactScale: number
  /** Weight of the first stage in the start of the second. */
  readonly part: number
}
