/** Cloth with the surface of a mesh: of a file, or one that a body shows. */

import type { Mesh } from '../../core/formats/mesh/mesh'
import { triangleMesh } from '../../core/geometry/mesh'
import { ShapeError } from '../../core/geometry/shape'
import { IDENTITY_POSE, toOuter } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import { freshId, type DeformableOf, type Scene } from '../../core/scene'
import { useDocument } from './document'
import { materialForNewShape } from './editing'
import { orientationOf, positionOf, titleOf } from './scene-access'
import { useSelection } from './selection'
import { useShell } from './shell'
import { useViewportApi } from './viewport-api'

/** Of a sheet that can be simulated in reasonable time. */
const MOST_TRIANGLES = 20_000
/** m: radius of the contact surface; the lowest vertex is twice that above the place. */
const RADIUS = 0.005
/** m: a larger mesh in a format without a unit may be in millimetres. */
const LARGE = 10
const METRIC = /\.(gltf|glb|dae)$/i
const MILLIMETRE = 0.001

type Sheet = Pick<DeformableOf<'cloth'>, 'vertices' | 'triangles'>

/**
 * The surface as a sheet, its middle above the place and its lowest point on it.
 *
 * @throws ShapeError: no triangles, or too many
 */
export function sheetOf(mesh: Mesh, place: Vec3, scale = 1): Sheet {
  const { vertices, faces } = triangleMesh(mesh)
  if (faces.length > MOST_TRIANGLES) throw new ShapeError('mesh', 'tooManyFaces', `${faces.length} triangles; a cloth has at most ${MOST_TRIANGLES}`)
  const used = [...new Set(faces.flat())].sort((a, b) => a - b)
  const numbers = new Map(used.map((vertex, i) => [vertex, i]))
  const points = used.map(vertex => vertices[vertex]!.map(value => scale * value) as unknown as Vec3)
  const [low, high] = [Math.min, Math.max].map(end => [0, 1, 2].map(k => points.reduce((most, p) => end(most, p[k]!), points[0]![k]!))) as [number[], number[]]
  const shift = [place[0] - (low[0]! + high[0]!) / 2, place[1] - (low[1]! + high[1]!) / 2, place[2] + 2 * RADIUS - low[2]!]
  return {
    vertices: points.map(p => p.map((value, k) => Math.round((value + shift[k]!) * 1e6) / 1e6) as unknown as Vec3),
    triangles: faces.map(face => face.map(vertex => numbers.get(vertex)!)),
  }
}

/** The surfaces that a body shows instead of its shapes, together; null if it has none. */
export function shownMesh(scene: Scene, id: string): Mesh | null {
  const vertices: Vec3[] = []
  const faces: (readonly number[])[] = []
  for (const visual of scene.bodies?.find(body => body.id === id)?.visuals ?? []) {
    const mesh = visual.type === 'mesh' ? scene.meshes?.find(one => one.id === visual.mesh) : undefined
    if (!mesh) continue
    const from = vertices.length
    const pose = { ...IDENTITY_POSE, position: positionOf(visual), orientation: orientationOf(visual) }
    vertices.push(...mesh.vertices.map(p => toOuter(pose, p)))
    faces.push(...mesh.faces.map(face => face.map(vertex => vertex + from)))
  }
  return faces.length > 0 ? { vertices, faces } : null
}

export async function clothFromFile(file: File, place: Vec3): Promise<void> {
  let mesh: Mesh
  const { MeshError, readMesh } = await import('../../core/formats/mesh')
  try {
    mesh = await readMesh(file.name, new Uint8Array(await file.arrayBuffer()))
  } catch (error) {
    if (!(error instanceof MeshError)) throw error
    return useShell().notify(`${file.name}: ${error.message}`, { kind: 'error' })
  }
  add(file.name, file.name.replace(/\.[^.]*$/, ''), mesh, place, !METRIC.test(file.name))
}

export function clothFromBody(id: string, place: Vec3): void {
  const document = useDocument()
  const [mesh, body] = [shownMesh(document.scene, id), document.element('bodies', id)]
  if (mesh && body) add(titleOf(body), `Cloth of ${titleOf(body)}`, mesh, place, false)
}

/** @param unsure whether the unit of its lengths is not known */
function add(label: string, name: string, mesh: Mesh, place: Vec3, unsure: boolean): void {
  const [document, shell] = [useDocument(), useShell()]
  let sheet: Sheet
  try {
    sheet = sheetOf(mesh, place)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    return shell.notify(`${label}: ${error.message}`, { kind: 'error' })
  }
  const id = freshId(document.scene, 'cloth')
  document.edit(`add cloth from ${label}`, draft => {
    const material = materialForNewShape(draft)
    draft.deformables ??= []
    draft.deformables.push({ id, name, type: 'cloth', material, radius: RADIUS, damping: 0.005, ...sheet })
  })
  useSelection().select([id])
  const size = [0, 1, 2].reduce((most, k) => Math.max(most, extent(sheet.vertices, k)), 0)
  // From inside, a large sheet would be a wall before the eye.
  if (size > LARGE) void useViewportApi().api?.frameSelection()
  if (unsure && size > LARGE) {
    shell.notify(`${label} is ${Math.round(size)} m wide.`, { seconds: 20, action: { label: 'It is in millimetres', run: () => { inMillimetres(id, mesh, place) } } })
  }
}

function inMillimetres(id: string, mesh: Mesh, place: Vec3): void {
  useDocument().edit('read as millimetres', draft => {
    const cloth = draft.deformables?.find(one => one.id === id)
    if (cloth?.type === 'cloth') Object.assign(cloth, sheetOf(mesh, place, MILLIMETRE))
  })
  void useViewportApi().api?.frameSelection()
}

const extent = (points: readonly Vec3[], k: number): number =>
  points.reduce((most, p) => Math.max(most, p[k]!), -Infinity) - points.reduce((least, p) => Math.min(least, p[k]!), Infinity)
