/** Random numbers that can be reproduced from a seed [Tommy Ettinger, mulberry32]. */

export class Random {
  private state: number

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x9e3779b1) >>> 0
  }

  /** In [0, 1). */
  share(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.share()
  }

  /** From 0 to `count` − 1. */
  index(count: number): number {
    return Math.floor(this.share() * count)
  }

  chance(probability: number): boolean {
    return this.share() < probability
  }

  of<T>(values: readonly T[]): T {
    return values[this.index(values.length)]!
  }

  vector(size: number): [number, number, number] {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)]
  }

  /** Log-uniform. */
  size(low: number, high: number): number {
    return low * (high / low) ** this.share()
  }

  orientation(): [number, number, number, number] {
    const q = [0, 0, 0, 0].map(() => this.between(-1, 1))
    const length = Math.hypot(...q) || 1
    return q.map(x => x / length) as [number, number, number, number]
  }
}
