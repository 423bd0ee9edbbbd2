/**
 * A row order with a small bandwidth: bodies by the Cuthill–McKee algorithm [1969], rows by their bodies. Factors of J M⁻¹ Jᵀ then have their
 * elements near the diagonal: a row of dominoes has a bandwidth of the rows of three bodies, however long it is.
 */

import type { Rows } from './rows'
import type { Snapshot } from './snapshot'

/** The given rows in that order. Immovable bodies do not connect others. */
export function inBandOrder(rows: readonly number[], all: Rows, snapshot: Snapshot): Int32Array {
  const moved = (body: number): boolean => body >= 0 && snapshot.inverseMass[body]! > 0
  const bodiesOf = rows.map(row => {
    const second = all.second === null ? -1 : all.owners.indexOf(row)
    const bodies = [all.bodyA[row]!, all.bodyB[row]!, ...second < 0 ? [] : [all.second!.bodyA[second]!, all.second!.bodyB[second]!]]
    return bodies.filter(moved)
  })
  const places = orderOf(neighboursOf(bodiesOf))
  const last = bodiesOf.map(bodies => Math.max(-1, ...bodies.map(body => places.get(body)!)))
  const first = bodiesOf.map(bodies => Math.min(Infinity, ...bodies.map(body => places.get(body)!)))
  const order = rows.map((_, k) => k).sort((i, j) => last[i]! - last[j]! || first[i]! - first[j]! || rows[i]! - rows[j]!)
  return Int32Array.from(order, k => rows[k]!)
}

type Neighbours = ReadonlyMap<number, ReadonlySet<number>>

function neighboursOf(bodiesOf: readonly (readonly number[])[]): Neighbours {
  const found = new Map<number, Set<number>>()
  for (const bodies of bodiesOf) {
    for (const body of bodies) {
      let set = found.get(body)
      if (set === undefined) found.set(body, set = new Set())
      for (const other of bodies) if (other !== body) set.add(other)
    }
  }
  return found
}

/** Positions of all bodies in the order, each connected component from one of its ends. */
function orderOf(neighbours: Neighbours): Map<number, number> {
  const places = new Map<number, number>()
  for (const body of neighbours.keys()) {
    if (places.has(body)) continue
    // The node farthest from any node is one end; the node farthest from that is the other end.
    const end = outwards(body, neighbours).at(-1)!
    for (const next of outwards(outwards(end, neighbours).at(-1)!, neighbours)) places.set(next, places.size)
  }
  return places
}

/** The bodies connected to `from`, nearest first; at equal distance, those with fewer neighbours first. */
function outwards(from: number, neighbours: Neighbours): number[] {
  const found = [from]
  const seen = new Set(found)
  for (let k = 0; k < found.length; k++) {
    const next = [...neighbours.get(found[k]!)!].filter(body => !seen.has(body)).sort((a, b) => neighbours.get(a)!.size - neighbours.get(b)!.size || a - b)
    for (const body of next) {
      seen.add(body)
      found.push(body)
    }
  }
  return found
}
