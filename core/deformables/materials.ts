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
}

/**
 * A vertex turns for the half of each adjacent segment that bends: if a clamped half counted, a strand would be clamped half a segment too far back, and a
 * cantilever of 10 segments would sink by a fifth too much.
 *
 * @param rest positions of all particles, which give the rest angles of a strand that is not straight
 */
export function strandEnergies({ particles, restLength, straight, axial, bending, inextensible = false, clamped }: StrandMaterial,
  damping: number, rest: Float64Array): Energy[] {
  const segments = restLength.length
  const count = rest.length / 3
  const energies: Energy[] = []
  if (axial > 0 || inextensible) {
    const pairs = Int32Array.from({ length: 2 * segments }, (_, k) => particles[Math.floor(k / 2) + (k % 2)]!)
    const stiffness = restLength.map(l => (inextensible ? 0 : axial / l))
    energies.push(energyOf(distanceCondition(pairs, restLength), stiffness, stiffness.map(k => k * damping), count))
  }
  if (bending > 0 && segments > 1) {
    const corners = Int32Array.from({ length: 3 * (segments - 1) }, (_, k) => particles[Math.floor(k / 3) + (k % 3)]!)
    const condition = straight ? turnCondition(corners) : angleCondition(corners, anglesAt(angleCondition(corners, new Float64Array(segments - 1)), rest))
    const bendable = (segment: number): number => clamped?.[segment] === 1 ? 0 : restLength[segment]!
    const stiffness = Float64Array.from({ length: (segments - 1) * condition.rows }, (_, k) => {
      const i = Math.floor(k / condition.rows)
      const length = (bendable(i) + bendable(i + 1)) / 2
      return length > 0 ? bending / length : 0
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
}

export function sheetEnergies(sheet: SheetMaterial, damping: number, rest: Float64Array): Energy[] {
  const { triangles, restUV, stretchWarp, stretchWeft, shear, flat } = sheet
  const count = rest.length / 3
  const measured = restTriangles(restUV)
  const stiffness = Float64Array.from({ length: triangles.length }, (_, k) => [stretchWarp, stretchWeft, shear][k % 3]! * measured.areas[Math.floor(k / 3)]!)
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
  { patches, triangles }: PatchGroup, { bendWarp, bendWeft }: SheetMaterial, { areas }: RestTriangles, damping: number, count: number,
): Energy {
  const moduli = [bendWarp, 2 * Math.sqrt(bendWarp * bendWeft), bendWeft]
  const stiffness = Float64Array.from({ length: 9 * triangles.length }, (_, k) => moduli[Math.floor(k / 3) % 3]! * areas[triangles[Math.floor(k / 9)]!]!)
  return energyOf(curvatureCondition(patches), stiffness, stiffness.map(k => k * damping), count)
}

/**
 * Bending per edge, for shapes that are not flat at rest: κ = (θ − θ₀) / l_perp and ½ b κ² A [slides SE], with l_perp = A / |e| and A a third of both
 * triangles' areas. Warp and weft stiffness are blended by the direction across the edge. The energy depends on the mesh: it is exact on a regular
 * mesh bent along its lines, and off by a factor elsewhere.
 */
function hingeEnergy(
  { triangles, restUV, bendWarp, bendWeft, flat }: SheetMaterial, sides: Int32Array, { areas }: RestTriangles, damping: number, rest: Float64Array,
): Energy {
  const hinges = hingesOf(triangles, sides)
  const stiffness: number[] = []
  for (let s = 0; s < sides.length; s++) {
    const other = sides[s]!
    if (other <= s) continue
    const [from, to] = [2 * s, 2 * (s - (s % 3) + ((s + 1) % 3))]
    const du = restUV[to]! - restUV[from]!
    const dv = restUV[to + 1]! - restUV[from + 1]!
    const square = du * du + dv * dv
    const area = (areas[Math.floor(s / 3)]! + areas[Math.floor(other / 3)]!) / 3
    stiffness.push(((bendWarp * dv * dv + bendWeft * du * du) / square) * (square / area))
  }
  const angles = flat ? new Float64Array(stiffness.length) : hingeAngles(hinges, rest)
  return energyOf(bendCondition(hinges, angles), Float64Array.from(stiffness), Float64Array.from(stiffness, k => k * damping), rest.length / 3)
}
