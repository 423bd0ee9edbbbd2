/** Colours of deformables by load: strain of the recorded elements, bending moments of ropes and hair. */

import { bendingMoments } from '../../../core/analysis/bending-moment'
import { deformablePlaces, type DeformablePlace } from '../../../core/analysis/deformable-state'
import type { SurfacePart } from '../../../core/analysis/deformable-surface'
import type { Vec3 } from '../../../core/math/vector'
import { resolveDeformable, type Scene } from '../../../core/scene'
import type { DeformableFrame, TrajectoryHeader } from '../../../core/trajectory/frame'
import type { DeformableColouring } from '../../state/view'
import { parseColor } from '../color'
import type { DeformableMesh } from './mesh'

export interface RecordedDeformables {
  readonly frame: DeformableFrame
  readonly header: TrajectoryHeader
}

/** Compressed, at rest, stretched. The colours differ for colour-blind people, and both ends are darker than the middle. */
export const RAMP = ['#2b7bba', '#cfd3d8', '#d55e00'] as const
const [LOW, MIDDLE, HIGH] = RAMP.map(parseColor) as [Vec3, Vec3, Vec3]

/** @param share −1 … 1 */
export function rampColor(share: number): Vec3 {
  const t = Math.min(1, Math.abs(share))
  const end = share < 0 ? LOW : HIGH
  return [0, 1, 2].map(k => MIDDLE[k]! + t * (end[k]! - MIDDLE[k]!)) as unknown as Vec3
}

/** Value per particle of the mesh; NaN where a particle has no such quantity. */
export function valuesOnMesh(mesh: DeformableMesh, scene: Scene, by: DeformableColouring, recorded: RecordedDeformables): Float64Array {
  const values = new Float64Array(mesh.owner.length).fill(NaN)
  const places = deformablePlaces(recorded.header)
  if (by === 'strain') spreadStrains(mesh, places, recorded.frame.strain, values)
  if (by === 'bending') spreadMoments(mesh, scene, places, recorded.frame.position, values)
  return values
}

/** Factors of a stiffness on one cloth or hair, on a logarithmic scale: log₂. 0 is below every other. */
export function factorsOnMesh(mesh: DeformableMesh, deformable: number, factors: readonly number[]): Float64Array {
  const values = new Float64Array(mesh.owner.length).fill(NaN)
  let first: number | undefined
  for (const part of mesh.parts) {
    if (mesh.owner[part.at] !== deformable) continue
    first ??= part.particles[0]!
    spread(part, i => Math.log2(factors[part.particles[i]! - first!] ?? 1), values)
  }
  return values
}

const elementsOf = ({ kind, particles, triangles }: SurfacePart): number => kind === 'sheet' ? triangles.length / 3 : kind === 'tube' ? particles.length - 1 : 0

/** A particle between elements gets the mean of the elements that contain it. */
function spreadStrains(mesh: DeformableMesh, places: readonly DeformablePlace[], strain: Float64Array, out: Float64Array): void {
  const counted = new Int32Array(places.length)
  for (const part of mesh.parts) counted[mesh.owner[part.at]!]! += elementsOf(part)
  const next = places.map(({ element }) => element)
  for (const part of mesh.parts) {
    const owner = mesh.owner[part.at]!
    // Strains are recorded only for deformables with a stiffness.
    if (places[owner]?.elements !== counted[owner] || part.kind === 'ball') continue
    const first = next[owner]!
    const [sum, count] = [new Float64Array(part.particles.length), new Int32Array(part.particles.length)]
    const add = (vertex: number, element: number): void => {
      sum[vertex]! += strain[element]!
      count[vertex]!++
    }
    if (part.kind === 'sheet') part.triangles.forEach((vertex, k) => add(vertex, first + Math.floor(k / 3)))
    else for (let e = 0; e + 1 < part.particles.length; e++) for (const vertex of [e, e + 1]) add(vertex, first + e)
    next[owner] = first + elementsOf(part)
    spread(part, vertex => sum[vertex]! / count[vertex]!, out)
  }
}

function spreadMoments(mesh: DeformableMesh, scene: Scene, places: readonly DeformablePlace[], x: Float64Array, out: Float64Array): void {
  const moments = new Float64Array(x.length / 3).fill(NaN)
  for (const { index, particle, particles } of places) {
    const deformable = scene.deformables?.[index]
    if (deformable === undefined) continue
    const [from, to] = [particle, particle + particles]
    bendingMoments(resolveDeformable(deformable), x.subarray(3 * from, 3 * to), moments.subarray(from, to))
  }
  for (const part of mesh.parts) spread(part, i => moments[part.particles[i]!] ?? NaN, out)
}

/** Copies the value of each of a part's particles to the vertices drawn at it. */
function spread(part: SurfacePart, value: (particle: number) => number, out: Float64Array): void {
  const { at, particles, vertices } = part
  const each = vertices / particles.length
  for (let v = 0; v < vertices; v++) out[at + v] = value(Math.floor(v / each))
}

export function largestOf(values: Float64Array): number {
  return values.reduce((most, value) => (Number.isNaN(value) ? most : Math.max(most, Math.abs(value))), 0)
}
