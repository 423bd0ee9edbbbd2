/** Groups of dynamic bodies that are joined directly or through others; bodies that nothing moves join nothing. */

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
    const [a = -1, ...others] = bodies.filter(body => this.dynamic(body))
    for (const b of others) {
      const p = this.find(a)
      const q = this.find(b)
      if (p !== q) this.parent[Math.max(p, q)] = Math.min(p, q)
    }
  }

  /** The first body of the group of a body. */
  find(body: number): number {
    const { parent } = this
    let i = body
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }

  /** The group in which what acts between some bodies belongs; −1 where none of them moves. */
  homeOf(...bodies: readonly number[]): number {
    const moving = bodies.find(body => this.dynamic(body))
    return moving === undefined ? -1 : this.find(moving)
  }
}
