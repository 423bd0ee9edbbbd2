/**
 * Static and kinetic friction of pairs of real materials, dry and clean unless noted [CS248B, friction table]: measured ranges as printed,
 * null if the source has none. Scenes take the middle of the range.
 */

export type Range = readonly [number, number]

export interface FrictionEntry {
  readonly materials: readonly [string, string]
  readonly static: Range | null
  readonly dynamic: Range | null
  /** With a lubricant or wet. */
  readonly staticWet?: Range
  readonly dynamicWet?: Range
}

const entry = (
  a: string, b: string, staticDry: Range | null, dynamicDry: Range | null, wet: { static?: Range; dynamic?: Range } = {},
): FrictionEntry => ({
  materials: [a, b], static: staticDry, dynamic: dynamicDry,
  ...(wet.static ? { staticWet: wet.static } : {}), ...(wet.dynamic ? { dynamicWet: wet.dynamic } : {}),
})
const at = (x: number): Range => [x, x]

export const FRICTION_TABLE: readonly FrictionEntry[] = [
  entry('Aluminium', 'Steel', at(0.61), at(0.47)),
  entry('Aluminium', 'Aluminium', [1.05, 1.35], [1.4, 1.5], { static: at(0.3) }),
  entry('Gold', 'Gold', null, at(2.5)),
  entry('Platinum', 'Platinum', at(1.2), at(3), { static: at(0.25) }),
  entry('Silver', 'Silver', at(1.4), at(1.5), { static: at(0.55) }),
  entry('Alumina ceramic', 'Silicon nitride ceramic', null, null, { dynamic: at(0.004) }),
  entry('BAM ceramic', 'Titanium boride', [0.04, 0.05], null, { static: at(0.02) }),
  entry('Brass', 'Steel', [0.35, 0.51], at(0.44), { static: at(0.19) }),
  entry('Cast iron', 'Copper', at(1.05), at(0.29)),
  entry('Cast iron', 'Zinc', at(0.85), at(0.21)),
  entry('Concrete', 'Rubber', at(1), [0.6, 0.85], { static: at(0.3), dynamic: [0.45, 0.75] }),
  entry('Concrete', 'Wood', at(0.62), null),
  entry('Copper', 'Glass', at(0.68), at(0.53)),
  entry('Copper', 'Steel', at(0.53), at(0.36), { dynamic: at(0.18) }),
  entry('Glass', 'Glass', [0.9, 1], at(0.4), { static: [0.005, 0.01], dynamic: [0.09, 0.116] }),
  entry('Human synovial fluid', 'Human cartilage', null, null, { static: at(0.01), dynamic: at(0.003) }),
  entry('Ice', 'Ice', [0.02, 0.09], null),
  entry('Polyethene', 'Steel', at(0.2), null, { static: at(0.2) }),
  entry('PTFE', 'PTFE', at(0.04), null, { static: at(0.04), dynamic: at(0.04) }),
  entry('Steel', 'Ice', at(0.03), null),
  entry('Steel', 'PTFE', [0.04, 0.2], null, { static: at(0.04), dynamic: at(0.04) }),
  entry('Steel', 'Steel', [0.74, 0.8], [0.42, 0.62], { static: [0.005, 0.23], dynamic: [0.029, 0.19] }),
  entry('Wood', 'Metal', [0.2, 0.6], at(0.49), { static: at(0.2), dynamic: at(0.075) }),
  entry('Wood', 'Wood', [0.25, 0.62], [0.32, 0.48], { static: at(0.2), dynamic: [0.067, 0.167] }),
]

const middle = (range: Range) => Number(((range[0] + range[1]) / 2).toPrecision(4))

/**
 * Coefficients for a scene: the middles of the ranges. If one of the two is unknown it equals the other, and a kinetic coefficient above the
 * static one is lowered to it, because Coulomb's law here requires dynamic ≤ static. Null if both are unknown.
 */
export function coefficientsOf(one: FrictionEntry, wet = false): { readonly static: number; readonly dynamic: number } | null {
  const held = wet ? one.staticWet ?? null : one.static
  const sliding = wet ? one.dynamicWet ?? null : one.dynamic
  const known = held ?? sliding
  if (!known) return null
  const mus = middle(held ?? known)
  return { static: mus, dynamic: Math.min(mus, middle(sliding ?? known)) }
}
