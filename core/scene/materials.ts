import type { Material, MaterialPair, ResolvedFriction } from './types'

/** Friction and restitution between two materials. */
export interface ContactMaterial extends ResolvedFriction {
  readonly restitution: number
}

const keys = ['static', 'dynamic', 'torsional', 'rolling'] as const

/** Geometric mean that does not underflow for very different coefficients. */
const mean = (a: number, b: number) => (a === b ? a : Math.sqrt(a) * Math.sqrt(b))

/**
 * Friction: each coefficient of the pair if given, otherwise the geometric mean of the two materials'. Restitution: the pair's, otherwise the larger. Materials
 * and pair as written or resolved.
 */
export function combineMaterials(a: Material, b: Material, pair: MaterialPair | null): ContactMaterial {
  const friction = { static: 0, dynamic: 0, torsional: 0, rolling: 0 }
  for (const key of keys) friction[key] = pair?.friction?.[key] ?? mean(a.friction?.[key] ?? 0, b.friction?.[key] ?? 0)
  return { ...friction, restitution: pair?.restitution ?? Math.max(a.restitution ?? 0, b.restitution ?? 0) }
}

/** The entry of a pair of materials in either order. */
export function pairOf(pairs: readonly MaterialPair[], a: string, b: string): MaterialPair | null {
  return pairs.find(({ materials: [p, q] }) => (p === a && q === b) || (p === b && q === a)) ?? null
}
