/** Collects losses, each once, up to a readable number. */

import type { Loss } from '../format'

const MAX_LOSSES = 2000

export class Losses {
  private readonly known = new Set<string>()
  private readonly entries: Loss[] = []
  private more = 0

  add(path: string, message: string, instead: string): void {
    const key = `${path}\n${message}\n${instead}`
    if (this.known.has(key)) return
    if (this.entries.length >= MAX_LOSSES) {
      this.more++
      return
    }
    this.known.add(key)
    this.entries.push({ path, message, instead })
  }

  addAll(losses: readonly Loss[]): void {
    for (const { path, message, instead } of losses) this.add(path, message, instead)
  }

  get list(): readonly Loss[] {
    if (this.more === 0) return this.entries
    return [...this.entries, { path: '', message: `${this.more} more of these`, instead: 'as listed' }]
  }
}
