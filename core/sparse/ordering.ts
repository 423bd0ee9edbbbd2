/**
 * Fill-reducing elimination order: approximate minimum degree on the quotient graph [Amestoy, Davis & Duff 96], without supervariables. An eliminated
 * vertex becomes an *element*: the set of vertices that it couples.
 */

/**
 * Neighbours of each vertex: those of vertex i are `neighbours[starts[i]] … neighbours[starts[i + 1] − 1]`, without i itself; both directions are
 * listed.
 */
export interface Graph {
  readonly n: number
  readonly starts: Int32Array
  readonly neighbours: Int32Array
}

/** The graph of a symmetric pattern whose lower triangle is listed by rows. */
export function graphOf(n: number, starts: Int32Array, columns: Int32Array): Graph {
  const counts = new Int32Array(n + 1)
  for (let i = 0; i < n; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = columns[k]!
      if (j === i) continue
      counts[i + 1]!++
      counts[j + 1]!++
    }
  }
  for (let i = 0; i < n; i++) counts[i + 1]! += counts[i]!
  const next = counts.slice(0, n)
  const neighbours = new Int32Array(counts[n]!)
  for (let i = 0; i < n; i++) {
    for (let k = starts[i]!; k < starts[i + 1]!; k++) {
      const j = columns[k]!
      if (j === i) continue
      neighbours[next[i]!++] = j
      neighbours[next[j]!++] = i
    }
  }
  return { n, starts: counts, neighbours }
}

/** Vertices in the order of their elimination. The same graph gives the same order everywhere. */
export function minimumDegree({ n, starts, neighbours }: Graph): Int32Array {
  const vertices: number[][] = []
  const elements: number[][] = []
  const members: (number[] | null)[] = new Array<number[] | null>(n).fill(null)
  const degree = new Int32Array(n)
  const buckets = new Buckets(n)
  for (let i = 0; i < n; i++) {
    vertices.push(Array.from(neighbours.subarray(starts[i], starts[i + 1])))
    elements.push([])
    degree[i] = vertices[i]!.length
    buckets.add(i, degree[i]!)
  }
  const order = new Int32Array(n)
  const gone = new Uint8Array(n)
  /** Last round in which a vertex was added to the new element. */
  const inside = new Int32Array(n).fill(-1)
  /** |L_e \ L_p| of an element in this round. */
  const outside = new Int32Array(n)
  const seen = new Int32Array(n).fill(-1)
  for (let round = 0; round < n; round++) {
    const p = buckets.takeLowest()
    order[round] = p
    gone[p] = 1
    inside[p] = round
    const L: number[] = []
    const join = (i: number): void => {
      if (gone[i] || inside[i] === round) return
      inside[i] = round
      L.push(i)
    }
    vertices[p]!.forEach(join)
    for (const e of elements[p]!) {
      members[e]!.forEach(join)
      members[e] = null
    }
    members[p] = L
    vertices[p] = []
    elements[p] = []
    for (const i of L) {
      elements[i] = elements[i]!.filter(e => members[e] !== null)
      for (const e of elements[i]!) {
        if (seen[e] !== round) {
          seen[e] = round
          members[e] = members[e]!.filter(j => !gone[j])
          outside[e] = members[e]!.length
        }
        outside[e]!--
      }
    }
    for (const i of L) {
      vertices[i] = vertices[i]!.filter(j => !gone[j] && inside[j] !== round)
      let d = vertices[i]!.length + L.length - 1
      // An element inside the new one is redundant and absorbed.
      elements[i] = elements[i]!.filter(e => outside[e]! > 0)
      for (const e of elements[i]!) d += outside[e]!
      elements[i]!.push(p)
      buckets.remove(i, degree[i]!)
      degree[i] = Math.min(d, n - round - 1)
      buckets.add(i, degree[i]!)
    }
  }
  return order
}

/** Vertices by degree, in doubly linked lists; the last added of the lowest degree comes first. */
class Buckets {
  private readonly heads: Int32Array
  private readonly next: Int32Array
  private readonly previous: Int32Array
  private lowest = 0

  constructor(n: number) {
    this.heads = new Int32Array(n + 1).fill(-1)
    this.next = new Int32Array(n).fill(-1)
    this.previous = new Int32Array(n).fill(-1)
  }

  add(i: number, degree: number): void {
    const head = this.heads[degree]!
    this.next[i] = head
    this.previous[i] = -1
    if (head >= 0) this.previous[head] = i
    this.heads[degree] = i
    if (degree < this.lowest) this.lowest = degree
  }

  remove(i: number, degree: number): void {
    const next = this.next[i]!
    const previous = this.previous[i]!
    if (next >= 0) this.previous[next] = previous
    if (previous >= 0) this.next[previous] = next
    else this.heads[degree] = next
  }

  takeLowest(): number {
    while (this.heads[this.lowest]! < 0) this.lowest++
    const i = this.heads[this.lowest]!
    this.remove(i, this.lowest)
    return i
  }
}
