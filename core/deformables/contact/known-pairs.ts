/** What is known of the pairs of features that are links, by link. */
export class KnownPairs {
  /** POINT_TRIANGLE or EDGES. */
  kinds = new Uint8Array(0)
  /** Its four points, and by each which of the link's particles it is; −1: a point of the carrier. */
  points = new Int32Array(0)
  slots = new Int32Array(0)
  /** Where the points were placed last, m, 12. */
  corners = new Float64Array(0)
  /** And at which gap they were then, m; NaN: they have not been. */
  gaps = new Float64Array(0)
  /** The carrier's point at which friction acts, in its frame, m, 3. */
  places = new Float64Array(0)

  /** Sees to it that there is room for so many links. */
  hold(count: number): void {
    if (count <= this.kinds.length) return
    const size = 2 * count + 64
    const larger = <T extends Float64Array | Int32Array | Uint8Array>(old: T, width: number): T => {
      const copy = new (old.constructor as new (n: number) => T)(width * size)
      copy.set(old)
      return copy
    }
    this.kinds = larger(this.kinds, 1)
    this.points = larger(this.points, 4)
    this.slots = larger(this.slots, 4)
    this.corners = larger(this.corners, 12)
    this.gaps = larger(this.gaps, 1)
    this.places = larger(this.places, 3)
  }
}
