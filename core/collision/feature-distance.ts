/** How far a point is from each feature of a solid: what says which features a contact may lie on. */

import { hypot } from '../math/elementary'
import { addScaled, distance, dot, length, sub, type Vec3 } from '../math/vector'
import type { Feature } from './contact'
import type { FeatureSet } from './feature-set'
import { insideBy, insideDisc } from './pairs/boundary'

export type FeatureName = string

export function nameOf({ kind, index }: Feature): FeatureName {
  return `${kind}${index}`
}

/** m, of a point of the body frame; from curved features roughly. */
export function featureDistances({ points, lines, flats, curves, sides }: FeatureSet, at: Vec3): Map<FeatureName, number> {
  const found = new Map<FeatureName, number>()
  for (const { feature, point, radius } of points) found.set(nameOf(feature), Math.abs(distance(at, point) - radius))
  for (const { feature, line: { origin, direction, length: extent, radius } } of lines) {
    const from = sub(at, origin)
    const t = Math.max(0, Math.min(extent, dot(from, direction)))
    found.set(nameOf(feature), Math.abs(length(addScaled(from, direction, -t)) - radius))
  }
  for (const { feature, normal, offset, boundary, disc } of flats) {
    const beside = Math.max(0, -insideBy(boundary, at), disc ? -insideDisc(disc, normal, at) : 0)
    found.set(nameOf(feature), hypot(dot(normal, at) - offset, beside))
  }
  for (const { feature, disc } of curves) {
    if (disc === undefined) {
      found.set(nameOf(feature), 0)
      continue
    }
    const from = sub(at, disc.center)
    const height = dot(from, disc.normal)
    found.set(nameOf(feature), hypot(height, length(addScaled(from, disc.normal, -height)) - disc.radius))
  }
  for (const { feature, side: { apex, axis, radius, height } } of sides) {
    const from = sub(at, apex)
    const down = Math.max(0, Math.min(height, -dot(from, axis)))
    found.set(nameOf(feature), Math.abs(length(addScaled(from, axis, down)) - radius * down / height))
  }
  return found
}
