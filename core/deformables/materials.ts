/**
 * Energies of ropes, hair and cloth from material data, independent of the discretisation: linear and angular springs have stiffness ∝ 1/l [slides
 * SE, "Discretization"], and sheets have energy per area.
 *
 * `damping` is a time, s: the damping of each condition is this × its stiffness.
 */

import {
  angleCondition, bendCondition, curvatureCondition, distanceCondition, hingeAngles, restTriangles, stretchShearCondition, turnCondition, type RestTriangles,
} from './conditions'
import type { Condition } from './condition'
import { elementWorkspace, energyOf, conditionValues, type Energy } from './energy'
import { curvaturePatches, hingesOf, neighbouringSides, type PatchGroup } from './patches'

export interface StrandMaterial {
  /** In order; consecutive ones are joined by a segment. */
  readonly particles: Int32Array
  /** m, by segment. */
  readonly restLength: Float64Array
  /** Whether the rest shape is straight; otherwise it is that in `rest`. */
  readonly straight: boolean
  /** EA, N. */
  readonly axial: number
  /** Whether segments are rods, held by multipliers: they have a strain, but no energy. */
  readonly inextensible?: boolean
  /** EI, N m². */
  readonly bending: number
  /** By segment: 1 if it does not bend because one support holds both of its ends. Absent: none. */
  readonly clamped?: Uint8Array
  /** Factors of EA, by segment, and of EI, by vertex. Null or absent: 1. */
  readonly stretchFactors?: Float64Array | null
  readonly bendFactors?: Float64Array | null
}

/**
 * A vertex turns for the half of each adjacent segment that bends: if a clamped half counted, a strand would be clamped half a segment too far back, and a
 * cantilever of 10 segments would sink by a fifth too much.
 *
 * @param rest positions of all particles, which give the rest angles of a strand that is not straight
 */
export function strandEnergies({ particles, restLength, straight, axial, bending, inextensible = false, clamped, stretchFactors, bendFactors }: StrandMaterial,
  damping: number, rest: Float64Array): Energy[] {
  const segments = restLength.length
  const count = rest.length / 3
  const energies: Energy[] = []
  if (axial > 0 || inextensible) {
    const pairs = Int32Array.from({ length: 2 * segments }, (_, k) => particles[Math.floor(k / 2) + (k % 2)]!)
    const stretched = factorOf(stretchFactors)
    const stiffness = restLength.map((l, segment) => (inextensible ? 0 : axial * stretched(segment) / l))
    energies.push(energyOf(distanceCondition(pairs, restLength), stiffness, stiffness.map(k => k * damping), count))
  }
  if (bending > 0 && segments > 1) {
    const corners = Int32Array.from({ length: 3 * (segments - 1) }, (_, k) => particles[Math.floor(k / 3) + (k % 3)]!)
    const condition = straight ? turnCondition(corners) : angleCondition(corners, anglesAt(angleCondition(corners, new Float64Array(segments - 1)), rest))
    const bent = factorOf(bendFactors)
    const bendable = (segment: number): number => clamped?.[segment] === 1 ? 0 : restLength[segment]!
    const stiffness = Float64Array.from({ length: (segments - 1) * condition.rows }, (_, k) => {
      const i = Math.floor(k / condition.rows)
      const length = (bendable(i) + bendable(i + 1)) / 2
      return length > 0 ? bending * bent(i + 1) / length : 0
    })
    energies.push(energyOf(condition, stiffness, stiffness.map(k => k * damping), count))
  }
  return energies
}

function anglesAt(condition: Condition, rest: Float64Array): Float64Array {
  const angles = new Float64Array(condition.count)
  conditionValues(condition, rest, angles, elementWorkspace([condition]))
  return angles
}

export interface SheetMaterial {
  /** 3 a triangle. */
  readonly triangles: Int32Array
  /** Warp and weft coordinates of each triangle's corners, m, 6 a triangle. */
  readonly restUV: Float64Array
  /** Whether the rest shape is flat; otherwise it is that in `rest`. */
  readonly flat: boolean
  /** N/m */
  readonly stretchWarp: number
  readonly stretchWeft: number
  readonly shear: number
  /** N m: moment per width ÷ curvature. */
  readonly bendWarp: number
  readonly bendWeft: number
  /** Factors of these, by triangle. Null or absent: 1. */
  readonly stretchFactors?: Float64Array | null
  readonly shearFactors?: Float64Array | null
  readonly bendFactors?: Float64Array | null
}

const ONE = (): number => 1
const factorOf = (factors: Float64Array | null | undefined): ((triangle: number) => number) => factors ? triangle => factors[triangle]! : ONE

export function sheetEnergies(sheet: SheetMaterial, damping: number, rest: Float64Array): Energy[] {
  const { triangles, restUV, stretchWarp, stretchWeft, shear, flat } = sheet
  const count = rest.length / 3
  const measured = restTriangles(restUV)
  const [stretched, sheared] = [factorOf(sheet.stretchFactors), factorOf(sheet.shearFactors)]
  const stiffness = Float64Array.from({ length: triangles.length }, (_, k) => {
    const t = Math.floor(k / 3)
    return [stretchWarp, stretchWeft, shear][k % 3]! * measured.areas[t]! * (k % 3 === 2 ? sheared : stretched)(t)
  })
  const energies = [energyOf(stretchShearCondition(triangles, measured), stiffness, stiffness.map(k => k * damping), count)]
  if (sheet.bendWarp === 0 && sheet.bendWeft === 0) return energies
  const sides = neighbouringSides(triangles, count)
  const patches = flat ? curvaturePatches(triangles, restUV, sides) : null
  return patches
    ? [...energies, ...patches.map(group => curvatureEnergy(group, sheet, measured, damping, count))]
    : [...energies, hingeEnergy(sheet, sides, measured, damping, rest)]
}

/** ½ A (b_u |x_uu|² + 2 √(b_u b_v) |x_uv|² + b_v |x_vv|²), which is isotropic for b_u = b_v. */
function curvatureEnergy(
  { patches, triangles }: PatchGroup, { bendWarp, bendWeft, bendFactors }: SheetMaterial, { areas }: RestTriangles, damping: number, count: number,
): Energy {
  const moduli = [bendWarp, 2 * Math.sqrt(bendWarp * bendWeft), bendWeft]
  const bent = factorOf(bendFactors)
  const stiffness = Float64Array.from({ length: 9 * triangles.length }, (_, k) => {
    const t = triangles[Math.floor(k / 9)]!
    return moduli[Math.floor(k / 3) % 3]! * areas[t]! * bent(t)
  })
  return energyOf(curvatureCondition(patches), stiffness, stiffness.map(k => k * damping), count)
}

/**
 * Bending per edge, for shapes that are not flat at rest: κ = (θ − θ₀) / l_perp and ½ b κ² A [slides SE], with l_perp = A / |e| and A a third of both
 * triangles' areas. Warp and weft stiffness are blended by the direction across the edge, painted factors of the two triangles by their areas. The
 * energy depends on the mesh: it is exact on a regular mesh bent along its lines, and off by a factor elsewhere.
 */
function hingeEnergy(
  { triangles, restUV, bendWarp, bendWeft, bendFactors, flat }: SheetMaterial, sides: Int32Array, { areas }: RestTriangles, damping: number, rest: Float64Array,
): Energy {
  const hinges = hingesOf(triangles, sides)
  const bent = factorOf(bendFactors)
  const stiffness: number[] = []
  for (let s = 0; s < sides.length; s++) {
    const other = sides[s]!
    if (other <= s) continue
    const [from, to] = [2 * s, 2 * (s - (s % 3) + ((s + 1) % 3))]
    const du = restUV[to]! - restUV[from]!
    const dv = restUV[to + 1]! - restUV[from + 1]!
    const square = du * du + dv * dv
    const [t, beyond] = [Math.floor(s / 3), Math.floor(other / 3)]
    const area = (areas[t]! + areas[beyond]!) / 3
    const factor = bendFactors ? (areas[t]! * bent(t) + areas[beyond]! * bent(beyond)) / (3 * area) : 1
    stiffness.push(((bendWarp * dv * dv + bendWeft * du * du) / square) * (square / area) * factor)
  }
  const angles = flat ? new Float64Array(stiffness.length) : hingeAngles(hinges, rest)
  return energyOf(bendCondition(hinges, angles), Float64Array.from(stiffness), Float64Array.from(stiffness, k => k * damping), rest.length / 3)
}
