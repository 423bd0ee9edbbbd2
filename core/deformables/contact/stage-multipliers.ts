/** Multipliers of links at the start of a stage: contacts change with the weights of stages; ties and rods are forces at the start of a step. */

import { spreadForce } from './link-geometry'
import { CONTACT, TIE, type Links } from './links'

/** Multiplies the multipliers of contacts. */
export function scaleContacts({ count, kinds, pressures, limits, rubs }: Links, factor: number): void {
  for (let i = 0; i < count; i++) {
    if (kinds[i] !== CONTACT) continue
    pressures[i]! *= factor
    limits[i]! *= factor
    for (let k = 3 * i; k < 3 * i + 3; k++) rubs[k]! *= factor
  }
}

/** Makes the multipliers of ties and rods their forces, at the last placement, and adds these to f. */
export function addHeld(links: Links, f: Float64Array): void {
  const { count, kinds, forces, presses, pressures, rubs, normals } = links
  for (let i = 0; i < count; i++) {
    if (kinds[i] === CONTACT) continue
    presses[i] = pressures[i]!
    for (let k = 3 * i; k < 3 * i + 3; k++) forces[k] = kinds[i] === TIE ? rubs[k]! : pressures[i]! * normals[k]!
    spreadForce(links, i, forces[3 * i]!, forces[3 * i + 1]!, forces[3 * i + 2]!, f)
  }
}
