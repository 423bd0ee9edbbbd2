/** Contact regions of more than one point: outlines of the shared points, a line or a polygon. */

import { cross, perpendicular, type Vec3 } from '../../../core/math/vector'
import type { ContactFrame } from '../../../core/trajectory/frame'

/** Points whose normals have at least this cosine belong to one flat region. */
const SAME_NORMAL = 0.9999

/** Indices of the contacts of each region, in order around it: two for a line, more for a polygon. */
export function contactRegions(contacts: ContactFrame): readonly number[][] {
  const known = KNOWN.get(contacts)
  if (known) return known
  const found = regionsOf(contacts).filter(region => region.length > 1).map(region => around(contacts, region))
  KNOWN.set(contacts, found)
  return found
}

/** A frame is drawn more than once, e.g. while the camera turns. */
const KNOWN = new WeakMap<ContactFrame, readonly number[][]>()

/** Contacts of the same two shapes whose normals agree. */
function regionsOf(contacts: ContactFrame): number[][] {
  const { count, bodyA, bodyB, shapeA, shapeB } = contacts
  /** Regions by pair of bodies. */
  const byBodies = new Map<number, number[][]>()
  // Deformables are numbered after the bodies, and a world anchor is −1.
  let most = 0
  for (let i = 0; i < count; i++) most = Math.max(most, bodyA[i]!, bodyB[i]!)
  let regions: number[][] = []
  let pair = NaN
  for (let i = 0; i < count; i++) {
    const key = (bodyA[i]! + 1) * (most + 2) + bodyB[i]! + 1
    if (key !== pair) {
      pair = key
      regions = byBodies.get(key) ?? []
      byBodies.set(key, regions)
    }
    const region = regions.find(([first]) => shapeA[first!] === shapeA[i] && shapeB[first!] === shapeB[i] && normalsAgree(contacts, first!, i))
    if (region) region.push(i)
    else regions.push([i])
  }
  return [...byBodies.values()].flat()
}

function normalsAgree({ normal }: ContactFrame, i: number, j: number): boolean {
  return normal[3 * i]! * normal[3 * j]! + normal[3 * i + 1]! * normal[3 * j + 1]! + normal[3 * i + 2]! * normal[3 * j + 2]! > SAME_NORMAL
}

/** Sorted by the angle about the mean of the points, which lies inside a convex region. */
function around(contacts: ContactFrame, region: number[]): number[] {
  if (region.length < 4) return region
  const { point } = contacts
  let [mx, my, mz] = [0, 0, 0]
  for (const i of region) {
    mx += point[3 * i]! / region.length
    my += point[3 * i + 1]! / region.length
    mz += point[3 * i + 2]! / region.length
  }
  const normal = normalOf(contacts, region[0]!)
  const x = perpendicular(normal)
  const y = cross(normal, x)
  const angles = region.map(i => {
    const [px, py, pz] = [point[3 * i]! - mx, point[3 * i + 1]! - my, point[3 * i + 2]! - mz]
    return Math.atan2(y[0] * px + y[1] * py + y[2] * pz, x[0] * px + x[1] * py + x[2] * pz)
  })
  // Insertion sort: regions are short, and there may be a thousand in each frame.
  for (let k = 1; k < region.length; k++) {
    for (let j = k; j > 0 && angles[j - 1]! > angles[j]!; j--) {
      ;[angles[j - 1], angles[j]] = [angles[j]!, angles[j - 1]!]
      ;[region[j - 1], region[j]] = [region[j]!, region[j - 1]!]
    }
  }
  return region
}

export function pointOf(contacts: ContactFrame, i: number): Vec3 {
  return [contacts.point[3 * i]!, contacts.point[3 * i + 1]!, contacts.point[3 * i + 2]!]
}

function normalOf(contacts: ContactFrame, i: number): Vec3 {
  return [contacts.normal[3 * i]!, contacts.normal[3 * i + 1]!, contacts.normal[3 * i + 2]!]
}
