/**
 * Dynamic resolution in software GL: the largest share of pixels along each edge that can be drawn within a time limit. The time depends on
 * the scene and on the machine's load, so the share is adapted: one rung down when frames are late, one rung up after many frames in time.
 */

/** Each rung has half the pixels of the one before. */
const RUNGS = [0.7, 0.5, 0.35, 0.25, 0.175] as const
/** Share of the pixels along each edge below which bodies are hard to recognise. */
const LEAST = RUNGS.at(-1)!

/** Share of the pixels along each edge that is drawn. @param resolution set by the user @param share of that which can be drawn in time */
export function drawnShare(resolution: number, share: number): number {
  return Math.min(resolution, Math.max(resolution * share, LEAST))
}

/** Successive late frames before the share is reduced. One or two may have waited for other work. */
const SLOW = 3
/** Successive frames in time before a larger share is tried. Doubled after every failed attempt. */
const PATIENCE = 60
const MAX_PATIENCE = 8 * PATIENCE

export class PictureShare {
  private rung: number
  private slow = 0
  private quick = 0
  private patience = PATIENCE
  private trying = false

  /** @param first initial share @param bound ms from the start of a frame until the page can draw the next one */
  constructor(first: (typeof RUNGS)[number], private readonly bound: number) {
    this.rung = RUNGS.indexOf(first)
  }

  get share(): number {
    return RUNGS[this.rung]!
  }

  /** @param took ms of a frame with the current share */
  note(took: number): void {
    if (took <= this.bound) {
      this.slow = 0
      if (++this.quick < this.patience) return
      this.move(-1)
      return
    }
    this.quick = 0
    if (++this.slow < SLOW) return
    if (this.trying) this.patience = Math.min(2 * this.patience, MAX_PATIENCE)
    this.move(1)
  }

  private move(by: 1 | -1): void {
    this.slow = this.quick = 0
    this.trying = by < 0 && this.rung > 0
    this.rung = Math.max(0, Math.min(RUNGS.length - 1, this.rung + by))
  }
}
