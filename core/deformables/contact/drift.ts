/**
 * Multipliers that go the same way with every renewal. Where two contacts hold nearly the same, the deeper one takes over what the other presses with, by no
 * more at a time than penalty × the difference of their gaps: hundreds of renewals where that is some 1e-7 m. The way that is left is the rest of a geometric
 * series [Aitken 26], and ends where the first contact presses no more. It is a start for the next iteration, which decides.
 */

import { CONTACT, type Links } from './links'

/** λ and τ of each link. */
const NUMBERS = 4
/** Share by which two ways may differ and still be the same. From 0.01 to 0.3 iterations of a cloth on a ball change by 4 %, and the energy audit does not. */
const SAME = 0.1
/** Of the next way to the one before: what becomes shorter faster comes to its end by itself. From 0.5 to 0.95 they change by a fifth. */
const SLOW = 0.8

export class Drift {
  private known = 0
  private count = 0
  /** N: multipliers at the last renewal, and by what they had changed then. */
  private last = new Float64Array(0)
  private way = new Float64Array(0)

  /** A step begins. */
  forget(): void {
    this.known = 0
  }

  /** Multipliers were renewed: goes on with them where they drift. @returns the largest change of one, N; 0 where they do not */
  follow(links: Links): number {
    const { count, pressures, rubs } = links
    const size = NUMBERS * count
    if (count !== this.count || this.last.length < size) {
      this.count = count
      this.known = 0
      if (this.last.length < size) [this.last, this.way] = [new Float64Array(2 * size), new Float64Array(2 * size)]
    }
    const { last, way } = this
    let [along, before, now] = [0, 0, 0]
    for (let k = 0; k < size; k++) {
      const value = k < count ? pressures[k]! : rubs[k - count]!
      const change = value - last[k]!
      along += change * way[k]!
      before += way[k]! * way[k]!
      now += change * change
      last[k] = value
      way[k] = change
    }
    this.known++
    // Two ways are known once values are for the third time.
    if (this.known < 3 || !(before > 0)) return 0
    const ratio = along / before
    // |now − ratio · before|², by the theorem of Pythagoras.
    if (ratio < SLOW || now - ratio * along > SAME * SAME * now) return 0
    let times = ratio < 1 ? ratio / (1 - ratio) : Infinity
    for (let i = 0; i < count; i++) if (links.kinds[i] === CONTACT && way[i]! < 0) times = Math.min(times, pressures[i]! / -way[i]!)
    if (!(times > 1) || times === Infinity) return 0
    let most = 0
    for (let k = 0; k < size; k++) most = Math.max(most, times * Math.abs(way[k]!))
    for (let i = 0; i < count; i++) {
      if (links.kinds[i] !== CONTACT) continue
      pressures[i] = Math.max(0, pressures[i]! + times * way[i]!)
      links.limits[i] = links.friction[i]! * pressures[i]!
      for (let c = 3 * i; c < 3 * i + 3; c++) rubs[c]! += times * way[count + c]!
    }
    this.known = 0
    return most
  }
}
