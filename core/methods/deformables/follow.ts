/**
 * Corrects particles after the step of the bodies. Bodies may end elsewhere than in the implicit step of the deformables, which excludes their other
 * contacts. Attached vertices and vertices in contact follow the bodies. Vertices inside bodies are moved out as far as they pass through no other
 * sheet or rope. Only positions change: the velocities already conserve momentum.
 */

import { CONTACT, inward, outward, ROD, setEnd, TIE, type Carriers, type StageContacts } from '../../deformables'
import type { BodyMotion } from '../../geometry/motion'

/** Rounds of moving vertices out, one shape after another. */
const ROUNDS = 30
/** m: largest remaining depth, far below the guaranteed accuracy. */
const SHALLOW = 1e-12

/** @param x positions of particles. @returns whether any position changed */
export function follow(contacts: StageContacts, all: Carriers, motions: readonly BodyMotion[], held: Uint8Array, x: Float64Array): boolean {
  const { links } = contacts
  const at = new Float64Array(3)
  const to = new Float64Array(3)
  const [rotations, origins] = [all.rotations.slice(), all.origins.slice()]
  motions.forEach((motion, i) => { setEnd(all, i + 1, motion) })
  let moved = false
  const before = x.slice()
  const shift = (p: number, k: number, by: number): void => {
    if (by === 0 || held[p] === 1) return
    x[3 * p + k] = x[3 * p + k]! + by
    moved = true
  }
  const differs = (c: number): boolean => {
    for (let k = 9 * c; k < 9 * c + 9; k++) if (rotations[k] !== all.rotations[k]) return true
    return [0, 1, 2].some(k => origins[3 * c + k] !== all.origins[3 * c + k])
  }
  for (let i = 0; i < links.count; i++) {
    const c = links.carriers[i]!
    const p = links.particles[4 * i]!
    if (links.kinds[i] !== CONTACT || c < 0 || !differs(c) || links.particles[4 * i + 1]! >= 0 || !(links.pressures[i]! > 0)) continue
    inward(rotations, origins, c, x[3 * p]!, x[3 * p + 1]!, x[3 * p + 2]!, at)
    outward(all.rotations, all.origins, c, at[0]!, at[1]!, at[2]!, to)
    for (let k = 0; k < 3; k++) shift(p, k, to[k]! - x[3 * p + k]!)
  }
  for (let round = 0; round < ROUNDS; round++) {
    let worst = 0
    contacts.place(x)
    for (let i = 0; i < links.count; i++) {
      const tie = links.kinds[i] === TIE
      const gap = links.gaps[i]!
      if (links.kinds[i] === ROD || (!tie && !(gap < -SHALLOW))) continue
      let square = 0
      for (let k = 4 * i; k < 4 * i + 4; k++) if (links.particles[k]! >= 0 && held[links.particles[k]!] === 0) square += links.weights[k]! * links.weights[k]!
      if (square === 0) continue
      for (let k = 0; k < 3; k++) {
        const by = tie ? -links.slips[3 * i + k]! : -gap * links.normals[3 * i + k]!
        worst = Math.max(worst, Math.abs(by))
        for (let q = 4 * i; q < 4 * i + 4; q++) if (links.particles[q]! >= 0) shift(links.particles[q]!, k, links.weights[q]! / square * by)
      }
    }
    if (worst <= SHALLOW) break
  }
  if (!moved) return false
  // A small distance to a body is preferred to passing through another sheet: the former is reported, the latter could not be undone.
  const share = contacts.untangled(before, x)
  if (share < 1) for (let k = 0; k < x.length; k++) x[k] = before[k]! + share * (x[k]! - before[k]!)
  return true
}
