/** Groups of dynamic bodies that are joined directly or through others; immovable bodies do not connect groups. */

import type { Snapshot } from './snapshot'

export class BodyGroups {
  private readonly parent: Int32Array

  constructor(private readonly snapshot: Snapshot) {
    this.parent = Int32Array.from(snapshot.bodies, (_, i) => i)
  }

  dynamic(body: number): boolean {
    return body >= 0 && this.snapshot.inverseMass[body]! > 0
  }

  join(...bodies: readonly number[]): void {
    let first = -1
    for (const body of bodies) {
      if (!this.dynamic(body)) continue
      const p = this.find(body)
      if (first >= 0 && p !== first) this.parent[Math.max(p, first)] = Math.min(p, first)
      first = first < 0 ? p : Math.min(p, first)
    }
  }

  /** The first body of the group that contains `body`. */
  find(body: number): number {
    const { parent } = this
    let i = body
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }

  /** The group of an element that acts between some bodies; −1 if none of them is dynamic. */
  homeOf(...bodies: readonly number[]): number {
    for (const body of bodies) if (this.dynamic(body)) return this.find(body)
    return -1
  }
}
