/** Ids from names: unique in the document, of the allowed characters, and as close to the name as possible. */

export class Names {
  private readonly taken = new Set<string>()
  /** Next numeric suffix of each stem, so that ten thousand equal names stay cheap. */
  private readonly next = new Map<string, number>()

  /** @param absent id of a thing without a name */
  fresh(name: string | undefined, absent: string): string {
    const base = (name ?? '').replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 100) || absent
    let id = base
    for (let n = this.next.get(base) ?? 2; this.taken.has(id); n++) {
      id = `${base}-${n}`
      this.next.set(base, n + 1)
    }
    this.taken.add(id)
    return id
  }

  has(id: string): boolean {
    return this.taken.has(id)
  }
}
