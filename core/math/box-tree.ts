/**
 * A tree of axis-aligned bounding boxes of moving elements. It is built once, by halving along the longest side of the initial boxes, and refitted
 * whenever the boxes change.
 */

/** Elements of a leaf at most. */
const LEAF = 4

export class BoxTree {
  /** Boxes of the elements, m: low x, y, z, high x, y, z. To be updated before `refit`. */
  readonly boxes: Float64Array
  private readonly order: Int32Array
  /** By node: its range of elements in `order`, and its second child, 0 for a leaf; the first child is the next node. */
  private readonly from: number[] = []
  private readonly to: number[] = []
  private readonly second: number[] = []
  private readonly nodes: Float64Array
  /** By node: the least and the largest number of its elements. */
  private readonly least: number[] = []
  private readonly most: number[] = []

  /** @param middles initial centres of the elements, 3 each */
  constructor(readonly count: number, middles: Float64Array) {
    this.boxes = new Float64Array(6 * count)
    this.order = Int32Array.from({ length: count }, (_, k) => k)
    if (count > 0) this.split(0, count, middles)
    this.nodes = new Float64Array(6 * this.from.length)
  }

  private split(from: number, to: number, middles: Float64Array): void {
    const node = this.from.length
    this.from.push(from)
    this.to.push(to)
    this.second.push(0)
    let [least, most] = [Infinity, -1]
    for (let i = from; i < to; i++) [least, most] = [Math.min(least, this.order[i]!), Math.max(most, this.order[i]!)]
    this.least.push(least)
    this.most.push(most)
    if (to - from <= LEAF) return
    let [axis, longest] = [0, -1]
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity]
      for (let i = from; i < to; i++) {
        const value = middles[3 * this.order[i]! + k]!
        low = Math.min(low, value)
        high = Math.max(high, value)
      }
      if (high - low > longest) [axis, longest] = [k, high - low]
    }
    this.order.subarray(from, to).sort((a, b) => middles[3 * a + axis]! - middles[3 * b + axis]! || a - b)
    const middle = (from + to) >> 1
    this.split(from, middle, middles)
    this.second[node] = this.from.length
    this.split(middle, to, middles)
  }

  /** Fits all nodes to the elements' boxes. */
  refit(): void {
    const { nodes, boxes, order, from, to, second } = this
    for (let node = from.length - 1; node >= 0; node--) {
      const at = 6 * node
      const other = second[node]!
      if (other > 0) {
        for (let k = 0; k < 3; k++) {
          nodes[at + k] = Math.min(nodes[at + 6 + k]!, nodes[6 * other + k]!)
          nodes[at + 3 + k] = Math.max(nodes[at + 9 + k]!, nodes[6 * other + 3 + k]!)
        }
        continue
      }
      for (let k = 0; k < 3; k++) {
        let [low, high] = [Infinity, -Infinity]
        for (let i = from[node]!; i < to[node]!; i++) {
          low = Math.min(low, boxes[6 * order[i]! + k]!)
          high = Math.max(high, boxes[6 * order[i]! + 3 + k]!)
        }
        nodes[at + k] = low
        nodes[at + 3 + k] = high
      }
    }
  }

  /** Visits pairs of an element of this tree and one of another whose boxes overlap. */
  pairs(other: BoxTree, visit: (mine: number, theirs: number) => void): void {
    if (this.count > 0 && other.count > 0) this.descend(0, other, 0, visit, false)
  }

  /** Visits pairs of two elements of this tree whose boxes overlap, the smaller number first. */
  ownPairs(visit: (mine: number, theirs: number) => void): void {
    if (this.count > 0) this.descend(0, this, 0, visit, true)
  }

  private descend(a: number, other: BoxTree, b: number, visit: (mine: number, theirs: number) => void, rising: boolean): void {
    if (rising && this.least[a]! >= other.most[b]!) return
    if (!overlap(this.nodes, 6 * a, other.nodes, 6 * b)) return
    const [mine, theirs] = [this.second[a]!, other.second[b]!]
    if (mine === 0 && theirs === 0) {
      for (let i = this.from[a]!; i < this.to[a]!; i++) {
        const one = this.order[i]!
        for (let j = other.from[b]!; j < other.to[b]!; j++) {
          const two = other.order[j]!
          if (rising && one >= two) continue
          if (overlap(this.boxes, 6 * one, other.boxes, 6 * two)) visit(one, two)
        }
      }
      return
    }
    if (theirs === 0 || (mine > 0 && this.to[a]! - this.from[a]! >= other.to[b]! - other.from[b]!)) {
      this.descend(a + 1, other, b, visit, rising)
      this.descend(mine, other, b, visit, rising)
      return
    }
    this.descend(a, other, b + 1, visit, rising)
    this.descend(a, other, theirs, visit, rising)
  }
}

function overlap(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  return p[i]! <= q[j + 3]! && q[j]! <= p[i + 3]! && p[i + 1]! <= q[j + 4]! && q[j + 1]! <= p[i + 4]! && p[i + 2]! <= q[j + 5]! && q[j + 2]! <= p[i + 5]!
}
