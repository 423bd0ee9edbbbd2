/**
 * From a mesh file, or a mesh, to convex pieces. Small meshes of flat faces are cut exactly; others by the planes with the least excess volume, which keeps
 * holes open; very fine ones, and solids that leak, by Rapier's V-HACD, in single precision on voxels. Open surfaces, such as terrain, are kept as they are,
 * by plates behind them. The result is stored in the scene's document, so that runs do not depend on the decomposition.
 */
import { exactPieces, fewerPieces } from '../../core/geometry/convex-pieces'
import { probeHoles, throughHoles } from '../../core/geometry/closed-holes'
import { cutPieces, MAX_CUT_TRIANGLES } from '../../core/geometry/cut-pieces'
import { convexHull } from '../../core/geometry/hull'
import { enclosedMass, openShare, triangleMesh, turnedMesh, type Mesh } from '../../core/geometry/mesh'
import { surfacePlates, type Plates } from '../../core/geometry/surface-plates'
import { ShapeError, type MassProperties } from '../../core/geometry/shape'
import { deviationFrom } from '../../core/geometry/surface-distance'
import { readMesh } from '../../core/formats/mesh'
import { lookOf, type NamedFile } from '../../core/formats/shared/file-look'
import type { InertiaComponents } from '../../core/scene'
import { max, min, scale, sub, type Vec3 } from '../../core/math/vector'
import { OPEN_HOLE, type DecomposedMesh, type DecompositionSettings, type DecompositionStage } from '../protocol/meshes'

export interface DecompositionInput {
  /** A file, whose colours and textures are read if the files beside it are given, or a mesh. */
  readonly source: NamedFile & { readonly beside?: readonly NamedFile[] | undefined } | Mesh
  /** m per unit of the source. */
  readonly scale: number
  readonly settings: DecompositionSettings
}

/** Relative difference of volumes that counts as rounding. */
const EXACT = 1e-6
/** Gaps of a surface, × its area, up to which it counts as a solid that leaks. */
const LEAK = 0.05
/** Points of single precision are rounded to this share of the size. */
const GRAIN = 1e-7

/** @throws MeshError, ShapeError */
export async function decompose({ source, scale: unit, settings }: DecompositionInput, stage: (stage: DecompositionStage) => void): Promise<DecomposedMesh> {
  stage('reading')
  const notes: string[] = []
  let mesh = triangleMesh('name' in source ? await readMesh(source.name, source.bytes) : source)
  let solid: MassProperties | null = null
  let turned = false
  /** Why it encloses no solid. */
  let fault = ''
  try {
    const outward = turnedIfInward(mesh)
    turned = outward !== mesh
    if (turned) notes.push('The faces pointed inwards and were reversed.')
    mesh = outward
    solid = enclosedMass(scaledMesh(mesh, unit))
  } catch (error) {
    if (!(error instanceof ShapeError) || (error.fault !== 'openSurface' && error.fault !== 'nonManifold')) throw error
    fault = error.message
  }
  stage('cutting')
  if (settings.method === 'surface' || (settings.method === 'auto' && solid === null && openShare(mesh) > LEAK)) {
    const plates = platesOf(mesh, settings, notes)
    if (plates !== null) {
      if (fault !== '') notes.unshift(`${fault}.`)
      const pieces = plates.pieces.map(points => points.map(p => scale(p, unit)))
      return {
        ...flat(plates.surface), turned: turned || plates.turned || plates.evened, pieces, method: 'surface', depth: plates.depth * unit, reach: null, deviation: null, holes: [],
        volume: null, piecesVolume: pieces.reduce((sum, points) => sum + convexHull('mesh', points).massProperties.volume, 0), solid: null,
        look: await lookIn(source, unit, turned || plates.turned, notes), notes,
      }
    }
  }
  const look = await lookIn(source, unit, turned, notes)
  const exact = solid !== null && (settings.method === 'exact' || settings.method === 'auto') ? exactPieces(mesh, settings.maxPieces) : null
  if (exact === null && settings.method === 'exact') {
    throw new ShapeError('mesh', 'needsPieces', solid === null ? 'only a closed surface can be cut exactly; choose its surface as it is, or voxels'
      : `more than ${settings.maxPieces} exact pieces are needed; allow more, or choose the approximate method`)
  }
  if (solid === null) notes.unshift(`${fault}. Its mass is that of its pieces.`)
  const found = exact ?? cutOrVoxels(mesh, solid !== null, settings, stage, notes)
  const pieces = (await found).map(points => points.map(p => scale(p, unit)))
  const hulls = pieces.map(points => convexHull('mesh', points))
  const total = hulls.reduce((sum, hull) => sum + hull.massProperties.volume, 0)
  const isExact = solid !== null && Math.abs(total - solid.volume) <= EXACT * solid.volume
  const surface = scaledMesh(mesh, unit)
  const compared = solid === null || isExact ? null : deviationFrom(surface, hulls)
  const holes = compared === null ? [] : probeHoles(surface, throughHoles(surface), hulls).filter(({ open }) => open < OPEN_HOLE)
  return {
    ...flat(mesh), turned, pieces, method: isExact ? 'exact' : 'approximate', depth: null, reach: solid === null ? null : compared?.most ?? 0,
    deviation: compared && { points: compared.points, triangles: compared.triangles, distances: compared.distances },
    holes: holes.map(({ centre, diameter, open }) => ({ centre, diameter, open })),
    volume: solid?.volume ?? null, piecesVolume: total,
    solid: solid === null ? null : { volume: solid.volume, centroid: solid.centroid, inertia: componentsOf(solid) }, look, notes,
  }
}

const flat = ({ vertices, faces }: Mesh): Pick<DecomposedMesh, 'vertices' | 'faces'> => (
  { vertices: vertices.map(p => [...p] as [number, number, number]), faces: faces.map(face => [...face]) })

async function lookIn(source: DecompositionInput['source'], unit: number, turned: boolean, notes: string[]): Promise<DecomposedMesh['look']> {
  return 'name' in source && source.beside !== undefined ? lookOf({ ...source, beside: source.beside }, unit, turned, notes) : null
}

/** Null, with a note, if it has too many parts and another method may be taken. */
function platesOf(mesh: Mesh, { method }: DecompositionSettings, notes: string[]): Plates | null {
  try {
    const plates = surfacePlates(mesh)
    if (plates.turned) notes.push('Its faces looked down and were turned.')
    if (plates.evened) notes.push('Some faces looked to the other side than their neighbours and were turned.')
    return plates
  } catch (error) {
    if (method === 'surface' || !(error instanceof ShapeError) || error.fault !== 'tooManyFaces') throw error
    notes.push(`${error.message}.`)
    return null
  }
}

async function cutOrVoxels(
  mesh: Mesh, closed: boolean, settings: DecompositionSettings, stage: (stage: DecompositionStage) => void, notes: string[],
): Promise<Vec3[][]> {
  if (closed && settings.method !== 'voxels') {
    stage('approximating')
    const cut = cutPieces(mesh, settings.maxPieces, settings.concavity)
    if (cut !== null) return cut
    notes.push(mesh.faces.length > MAX_CUT_TRIANGLES ? `It has more than ${MAX_CUT_TRIANGLES} triangles: it is approximated by voxels.`
      : 'Parts of it have no exact hull: it is approximated by voxels.')
  }
  stage('voxels')
  return voxelPieces(mesh, settings)
}

function turnedIfInward(mesh: Mesh): Mesh {
  try {
    enclosedMass(mesh)
    return mesh
  } catch (error) {
    if (error instanceof ShapeError && error.fault === 'inwardFaces') return turnedMesh(mesh)
    throw error
  }
}

function scaledMesh({ vertices, faces }: Mesh, unit: number): Mesh {
  return { vertices: vertices.map(p => scale(p, unit)), faces }
}

function componentsOf({ inertia: I }: MassProperties): InertiaComponents {
  return [I[0], I[4], I[8], I[1], I[2], I[5]]
}

/** Hulls of voxel groups, computed on a copy of the mesh scaled to size 1 about the origin, where single precision is most accurate. */
async function voxelPieces(mesh: Mesh, { resolution, maxPieces, concavity }: DecompositionSettings): Promise<Vec3[][]> {
  const { default: rapier } = await import('@dimforge/rapier3d-compat')
  await rapier.init()
  const low = mesh.vertices.reduce(min)
  const high = mesh.vertices.reduce(max)
  const middle = scale([low[0] + high[0], low[1] + high[1], low[2] + high[2]], 0.5)
  const size = Math.max(...sub(high, low))
  const vertices = Float32Array.from(mesh.vertices.flatMap(p => scale(sub(p, middle), 1 / size)))
  const found = rapier.ColliderDesc.convexDecomposition(vertices, Uint32Array.from(mesh.faces.flat()), {
    resolution, maxConvexHulls: maxPieces, concavity, convexHullApproximation: false, planeDownsampling: 4, convexHullDownsampling: 4,
  })
  const shape = found?.shape
  const hulls = shape instanceof rapier.Compound ? shape.shapes : shape === undefined ? [] : [shape]
  const pieces = hulls.flatMap(hull => hull instanceof rapier.ConvexPolyhedron ? piece(hull.vertices, middle, size) : [])
  if (pieces.length === 0) {
    throw new ShapeError('mesh', 'zeroVolume', 'no piece of it has a volume; raise the resolution, or thicken the mesh')
  }
  return fewerPieces(pieces, maxPieces)
}

/** Empty if the points have no volume. */
function piece(flat: Float32Array, middle: Vec3, size: number): Vec3[][] {
  const points = new Map<string, Vec3>()
  for (let k = 0; k < flat.length; k += 3) {
    const p = [0, 1, 2].map(axis => Math.round((flat[k + axis]! * size + middle[axis]!) / (GRAIN * size)) * (GRAIN * size)) as unknown as Vec3
    points.set(p.join(' '), p)
  }
  try {
    return [[...convexHull('mesh', [...points.values()]).vertices]]
  } catch (error) {
    if (error instanceof ShapeError) return []
    throw error
  }
}
