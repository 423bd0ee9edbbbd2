/**
 * Dynamic resolution in software GL: the share of the pixels along each edge that is drawn within a bound while a person waits for the picture. What a picture
 * costs depends on the scene and the load of the machine, so the share is found by trial: down a rung when pictures are late, up a rung after many in time.
 */

/** Each rung has half the pixels of the one before; below the last, bodies can hardly be told apart. */
const RUNGS = [0.7, 0.5, 0.35, 0.25, 0.175] as const
/** Pictures in turn that take too long: one or two may have waited for something else. */
const SLOW = 3
/** Pictures in turn within the bound, at first, after which larger ones are tried; twice as many whenever they turn out too large. */
const PATIENCE = 60
const MOST_PATIENCE = 8 * PATIENCE

export class PictureShare {
  private rung: number
  private slow = 0
  private quick = 0
  private patience = PATIENCE
  private trying = false

  /** @param first of the shares, to begin with @param bound ms from the beginning of a picture until the page can draw the next one */
  constructor(first: (typeof RUNGS)[number], private readonly bound: number) {
    this.rung = RUNGS.indexOf(first)
  }

  get share(): number {
    return RUNGS[this.rung]!
  }

  /** @param took ms, of a picture with this share */
  note(took: number): void {
    if (took <= this.bound) {
      this.slow = 0
      if (++this.quick < this.patience) return
      this.move(-1)
      return
    }
    this.quick = 0
    if (++this.slow < SLOW) return
    if (this.trying) this.patience = Math.min(2 * this.patience, MOST_PATIENCE)
    this.move(1)
  }

  private move(by: 1 | -1): void {
    this.slow = this.quick = 0
    this.trying = by < 0 && this.rung > 0
    this.rung = Math.max(0, Math.min(RUNGS.length - 1, this.rung + by))
  }
}
