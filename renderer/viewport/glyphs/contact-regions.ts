/** Contact regions of more than one point: outlines of the shared points, a line or a polygon. */

import { cross, dot, perpendicular, sub, type Vec3 } from '../../../core/math/vector'
import type { ContactFrame } from '../../../core/trajectory/frame'

/** Points whose normals have at least this cosine belong to one flat region. */
const SAME_NORMAL = 0.9999

/** Indices of the contacts of each region, in order around it: two for a line, more for a polygon. */
export function contactRegions(contacts: ContactFrame): number[][] {
  const groups = new Map<string, number[][]>()
  for (let i = 0; i < contacts.count; i++) {
    const key = `${contacts.bodyA[i]} ${contacts.bodyB[i]} ${contacts.shapeA[i]} ${contacts.shapeB[i]}`
    const regions = groups.get(key) ?? []
    const region = regions.find(([first]) => dot(normalOf(contacts, first!), normalOf(contacts, i)) > SAME_NORMAL)
    if (region) region.push(i)
    else regions.push([i])
    groups.set(key, regions)
  }
  return [...groups.values()].flat().filter(region => region.length > 1).map(region => around(contacts, region))
}

/** Sorted by the angle about the mean of the points, which lies inside a convex region. */
function around(contacts: ContactFrame, region: readonly number[]): number[] {
  if (region.length < 4) return [...region]
  const points = region.map(i => pointOf(contacts, i))
  const middle = [0, 1, 2].map(k => points.reduce((sum, p) => sum + p[k]!, 0) / points.length) as unknown as Vec3
  const normal = normalOf(contacts, region[0]!)
  const x = perpendicular(normal)
  const y = cross(normal, x)
  const angle = (p: Vec3) => Math.atan2(dot(y, sub(p, middle)), dot(x, sub(p, middle)))
  return region.map((i, k) => ({ i, at: angle(points[k]!) })).sort((a, b) => a.at - b.at).map(({ i }) => i)
}

export function pointOf(contacts: ContactFrame, i: number): Vec3 {
  return [contacts.point[3 * i]!, contacts.point[3 * i + 1]!, contacts.point[3 * i + 2]!]
}

function normalOf(contacts: ContactFrame, i: number): Vec3 {
  return [contacts.normal[3 * i]!, contacts.normal[3 * i + 1]!, contacts.normal[3 * i + 2]!]
}
