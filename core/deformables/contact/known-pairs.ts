/** Data of the feature pairs of links, by link. */
export class KnownPairs {
  /** POINT_TRIANGLE or EDGES. */
  kinds = new Uint8Array(0)
  /** Its four points, and for each the index of the link's particle; −1 for a point of the carrier. */
  points = new Int32Array(0)
  slots = new Int32Array(0)
  /** Positions of the points at the last placement, m, 12. */
  corners = new Float64Array(0)
  /** Gap at that placement, m; NaN if there was none. */
  gaps = new Float64Array(0)
  /** The carrier's point at which friction acts, in its frame, m, 3. */
  places = new Float64Array(0)

  /** Ensures capacity for `count` links. */
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
