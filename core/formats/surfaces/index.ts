/** Surfaces for modelling and printing: Wavefront OBJ with colours, and STL, in metres, z up, with every body at its place in the scene. */

import { cross, normalize, sub, length, type Vec3 } from '../../math/vector'
import type { ResolvedScene } from '../../scene'
import type { ExportResult, Format, FormatOption, OptionValues } from '../format'
import { srgbOf } from '../shared/colors'
import { Losses } from '../shared/losses'
import { fans } from '../shared/surface'
import { surfacesOf } from './world'

const options: readonly FormatOption[] = [
  { id: 'around', label: 'Corners of a circle', help: 'Number of segments around round shapes.', kind: 'number', default: 32, least: 8, most: 256 },
]

export const obj: Format = { id: 'obj', label: 'Wavefront OBJ (surfaces)', exporter: { extension: '.obj', options, run: exportObj }, importer: null, motion: null }
export const stl: Format = { id: 'stl', label: 'STL (surfaces)', exporter: { extension: '.stl', options, run: exportStl }, importer: null, motion: null }

/** Losses: everything but surfaces. */
function tellMechanics(scene: ResolvedScene, losses: Losses): void {
  losses.add('bodies', 'masses, velocities and types of bodies', 'their surfaces alone')
  if (scene.bodies.some(({ visuals }) => visuals !== undefined)) losses.add('bodies[].visuals', 'visuals of bodies', 'the surfaces of their shapes')
  scene.deformables.forEach(({ id, type }, i) => losses.add(`deformables[${i}]`, `"${id}", which is of type ${type}`, 'nothing: a run exported to glTF or USD contains it'))
  if (scene.joints.length > 0) losses.add('joints', `${scene.joints.length} joints`, 'nothing')
  if (scene.forces.length > 0) losses.add('forces', `${scene.forces.length} forces`, 'nothing')
}

function exportObj(scene: ResolvedScene, name: string, { around }: OptionValues): ExportResult {
  const losses = new Losses()
  tellMechanics(scene, losses)
  const lines = [`# ${(scene.name ?? name).replaceAll(/[\r\n]+/g, ' ')}: metres, z up`, `mtllib ${name}.mtl`]
  let first = 1
  let body = ''
  for (const surface of surfacesOf(scene, Number(around), losses)) {
    if (surface.body !== body) lines.push(`o ${surface.body}`)
    body = surface.body
    lines.push(`usemtl ${surface.material}`)
    for (const p of surface.mesh.vertices) lines.push(`v ${p.map(x => x === 0 ? 0 : x).join(' ')}`)
    for (const face of surface.mesh.faces) lines.push(`f ${face.map(i => first + i).join(' ')}`)
    first += surface.mesh.vertices.length
  }
  const materials = scene.materials.flatMap(({ id, color }) => [`newmtl ${id}`, `Kd ${srgbOf(color).join(' ')}`, ''])
  return { files: [{ name: `${name}.obj`, content: `${lines.join('\n')}\n` }, { name: `${name}.mtl`, content: `${materials.join('\n')}\n` }], losses: losses.list }
}

const HEADER = 80
const TRIANGLE = 50

/** Binary, one solid. */
function exportStl(scene: ResolvedScene, name: string, { around }: OptionValues): ExportResult {
  const losses = new Losses()
  tellMechanics(scene, losses)
  losses.add('materials', 'STL has neither colours nor names', 'one solid of all bodies')
  const triangles = surfacesOf(scene, Number(around), losses)
    .flatMap(({ mesh }) => fans(mesh.faces).map(face => face.map(i => mesh.vertices[i]!) as [Vec3, Vec3, Vec3]))
  const bytes = new Uint8Array(HEADER + 4 + TRIANGLE * triangles.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(HEADER, triangles.length, true)
  triangles.forEach(([a, b, c], t) => {
    const across = cross(sub(b, a), sub(c, a))
    const normal = length(across) > 0 ? normalize(across) : across;
    [normal, a, b, c].flat().forEach((x, k) => view.setFloat32(HEADER + 4 + TRIANGLE * t + 4 * k, x, true))
  })
  return { files: [{ name: `${name}.stl`, content: bytes }], losses: losses.list }
}
