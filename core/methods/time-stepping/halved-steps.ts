/**
 * Bodies that take their steps in halves from the start, because their last whole steps failed: a failed attempt costs more than both halves. A whole step is
 * tried again after a few steps, and less and less often while it goes on failing.
 */

/** Whole steps that have to fail in succession; a single one is often an impact. */
const STREAK = 2
/** Steps in halves before a whole one is tried again; doubled, up to the last, whenever that fails. */
const FIRST_PATIENCE = 2
const MAX_PATIENCE = 16

/** Of one body. */
export type HalvedRecord = readonly [body: number, streak: number, patience: number, wait: number]

export class HalvedSteps {
  /** By body: whole steps that failed in succession, up to `STREAK`. */
  private readonly streak: Uint8Array
  private readonly patience: Uint8Array
  /** By body: steps until a whole one is tried. */
  private readonly wait: Uint8Array

  /** @param count of the world's bodies */
  constructor(count: number) {
    this.streak = new Uint8Array(count)
    this.patience = new Uint8Array(count).fill(FIRST_PATIENCE)
    this.wait = new Uint8Array(count)
  }

  /** Whether a body takes its step in halves at once. */
  has(body: number): boolean {
    return this.wait[body]! > 0
  }

  /** After a step of some bodies. @param halved those of them that took it in halves */
  note(bodies: readonly number[], halved: ReadonlySet<number>): void {
    const { streak, patience, wait } = this
    for (const body of bodies) {
      if (!halved.has(body)) {
        streak[body] = wait[body] = 0
        patience[body] = FIRST_PATIENCE
      } else if (wait[body]! > 0) {
        wait[body]!--
      } else if (streak[body]! < STREAK - 1) {
        streak[body]!++
      } else {
        if (streak[body] === STREAK) patience[body] = Math.min(2 * patience[body]!, MAX_PATIENCE)
        streak[body] = STREAK
        wait[body] = patience[body]!
      }
    }
  }

  /** Of the bodies with failed steps. */
  get carried(): HalvedRecord[] {
    const { streak, patience, wait } = this
    return [...streak.keys()].filter(body => streak[body]! > 0).map(body => [body, streak[body]!, patience[body]!, wait[body]!])
  }

  set carried(records: readonly HalvedRecord[]) {
    for (const [body, streak, patience, wait] of records) {
      this.streak[body] = streak
      this.patience[body] = patience
      this.wait[body] = wait
    }
  }
}
