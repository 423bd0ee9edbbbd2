/** Number of bodies that exist and can move. */

import type { Snapshot } from '../../contact/snapshot'

export function movingBodies({ exists, inverseMass }: Snapshot): number {
  let moving = 0
  for (let body = 0; body < exists.length; body++) if (exists[body]! && inverseMass[body]! > 0) moving++
  return moving
}
