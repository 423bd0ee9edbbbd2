/** Deformables of a run in USD: cloth as meshes, ropes, hair and springs as curves, particles as points, all with time samples. */

import { SPRING } from '../../analysis/deformable-surface'
import { deformableShape } from '../../analysis/deformable-shape'
import type { ResolvedDeformable, ResolvedScene } from '../../scene'
import type { TrajectoryFrame } from '../motion'
import { linearOf } from '../shared/colors'
import type { Losses } from '../shared/losses'
import { property, tuple, type Usda, type UsdaPrim, type UsdaProperty } from './usda-write'

/** @param codes time code of each frame @param names of the deformables' prims */
export function deformablePrims(
  scene: ResolvedScene, frames: readonly TrajectoryFrame[], codes: readonly number[], names: readonly string[], losses: Losses,
): UsdaPrim[] {
  const colors = new Map(scene.materials.map(({ id, color }) => [id, color]))
  let first = 0
  return scene.deformables.flatMap((deformable, d) => {
    const { vertices } = deformableShape(deformable)
    const start = first
    first += 3 * vertices.length
    if (frames.some(({ particles }) => particles === undefined)) losses.add(`deformables[${d}]`, `the run has no recorded positions of "${deformable.id}"`, 'its initial positions')
    const initial = Float64Array.from(vertices.flat())
    const states = frames.map(({ particles }) => particles?.subarray(start, first) ?? initial)
    const color = property('color3f[] primvars:displayColor', [tuple(...linearOf(colors.get(deformable.material)!))])
    return primsOf(deformable, names[d]!, of => sampled(of, states, codes, initial), color)
  })
}

/** Points of a prim, by particle index. */
type PointsOf = (particles: readonly number[]) => UsdaProperty

function primsOf(deformable: ResolvedDeformable, name: string, points: PointsOf, color: UsdaProperty): UsdaPrim[] {
  const { vertices, strands, springs, triangles } = deformableShape(deformable)
  const all = vertices.map((_, i) => i)
  if (triangles.length > 0) {
    return [{
      type: 'Mesh', name,
      properties: [
        property('uniform token subdivisionScheme', 'none'), property('uniform bool doubleSided', true), points(all),
        property('int[] faceVertexCounts', triangles.map(() => 3)), property('int[] faceVertexIndices', triangles.flat()), color,
      ],
    }]
  }
  const curves = (prim: string, lines: readonly (readonly number[])[], radius: number): UsdaPrim => ({
    type: 'BasisCurves', name: prim,
    properties: [
      property('uniform token type', 'linear'), points(lines.flat()), property('int[] curveVertexCounts', lines.map(line => line.length)),
      { ...property('float[] widths', [2 * radius]), metadata: 'interpolation = "constant"' }, color,
    ],
  })
  if (strands.length > 0) return [curves(name, strands, deformable.radius)]
  return [
    { type: 'Points', name, properties: [points(all), { ...property('float[] widths', [2 * deformable.radius]), metadata: 'interpolation = "constant"' }, color] },
    ...springs.length > 0 ? [curves(`${name}_springs`, springs, SPRING * deformable.radius)] : [],
  ]
}

function sampled(of: readonly number[], states: readonly Float64Array[], codes: readonly number[], initial: Float64Array): UsdaProperty {
  const declaration = 'point3f[] points'
  const at = (state: Float64Array): Usda => of.map(i => tuple(state[3 * i]!, state[3 * i + 1]!, state[3 * i + 2]!))
  const moves = states.some(state => state.some((x, i) => x !== states[0]![i]))
  if (!moves) return property(declaration, at(states[0] ?? initial))
  return { declaration, value: undefined, samples: states.map((state, f) => [codes[f]!, at(state)] as const) }
}
