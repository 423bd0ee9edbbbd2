/**
 * Bodies whose last whole steps failed in one way of stepping and that therefore use the next one from the start: in halves instead of at once, or with the
 * fallback contact model. A failed attempt costs more than the step that follows it. The first way is tried again after a few steps, and less and less
 * often while it goes on failing.
 */

/** Steps that have to fail in succession; a single one is often an impact. */
const STREAK = 2
/** Steps before the first way is tried again; doubled, up to the last, whenever that fails. */
const FIRST_PATIENCE = 2
const MAX_PATIENCE = 16

/** Of one body. */
type FailureRecord = readonly [body: number, streak: number, patience: number, wait: number, home: number]

/** Failures of one way of stepping. */
export class WayFailures {
  /** By body: steps that failed in succession, up to `STREAK`. */
  private readonly streak: Uint8Array
  private readonly patience: Uint8Array
  /** By body: steps until the first way is tried. */
  private readonly wait: Uint8Array
  /** By body: the first body of the group that it last failed with. */
  private readonly home: Int32Array

  /** @param count of the world's bodies */
  constructor(count: number) {
    this.home = new Int32Array(count)
    this.streak = new Uint8Array(count)
    this.patience = new Uint8Array(count).fill(FIRST_PATIENCE)
    this.wait = new Uint8Array(count)
  }

  /** Those of some bodies that use the next way at once, by the groups that they failed in: unrelated ones have nothing to do with each other's steps. */
  among(bodies: readonly number[]): number[][] {
    const groups = new Map<number, number[]>()
    for (const body of bodies) {
      if (this.wait[body] === 0) continue
      const home = this.home[body]!
      if (!groups.has(home)) groups.set(home, [])
      groups.get(home)!.push(body)
    }
    return [...groups.values()]
  }

  /**
   * After a step of some bodies.
   *
   * @param groups those of them that needed the next way or used it at once, by what was stepped together. Bodies of a group try the first way together
   *   again: those that tried it alone would meet the others, and all would be stepped once more.
   */
  note(bodies: readonly number[], groups: readonly (readonly number[])[]): void {
    const { streak, patience, wait } = this
    const failed = new Set(groups.flat())
    for (const body of bodies) {
      if (!failed.has(body)) {
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
    for (const group of groups) {
      const first = Math.min(...group)
      for (const body of group) this.home[body] = first
      for (const counter of [streak, patience, wait]) {
        const most = group.reduce((most, body) => Math.max(most, counter[body]!), 0)
        for (const body of group) counter[body] = most
      }
    }
  }

  /** Of the bodies with failed steps. */
  get carried(): FailureRecord[] {
    const { streak, patience, wait, home } = this
    return [...streak.keys()].filter(body => streak[body]! > 0).map(body => [body, streak[body]!, patience[body]!, wait[body]!, home[body]!])
  }

  set carried(records: readonly FailureRecord[]) {
    for (const [body, streak, patience, wait, home] of records) {
      this.home[body] = home
      this.streak[body] = streak
      this.patience[body] = patience
      this.wait[body] = wait
    }
  }
}

export interface CarriedFailures {
  readonly atOnce: readonly FailureRecord[]
  readonly model: readonly FailureRecord[]
}

export class PastFailures {
  /** Of whole steps; halves follow. */
  readonly atOnce: WayFailures
  /** Of the scene's contact model; its fallback follows. */
  readonly model: WayFailures

  /** @param count of the world's bodies */
  constructor(count: number) {
    this.atOnce = new WayFailures(count)
    this.model = new WayFailures(count)
  }

  /** After a step of some bodies. @param halved groups whose whole step was taken in halves @param fellBack groups solved with the fallback model */
  note(bodies: readonly number[], { halved, fellBack }: Record<'halved' | 'fellBack', readonly (readonly number[])[]>): void {
    this.atOnce.note(bodies, halved)
    this.model.note(bodies, fellBack)
  }

  get carried(): CarriedFailures {
    return { atOnce: this.atOnce.carried, model: this.model.carried }
  }

  set carried({ atOnce, model }: CarriedFailures) {
    this.atOnce.carried = atOnce
    this.model.carried = model
  }
}
