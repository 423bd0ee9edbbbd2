/** Requests and results of convex decompositions. */

import type { MeshLook, NamedFile } from '../../core/formats/shared/file-look'
import { shortNumber } from '../../core/math/short-number'
import type { Handle } from './documents'

export const DECOMPOSITION_METHODS = ['auto', 'exact', 'approximate', 'voxels', 'surface'] as const
export type DecompositionMethod = (typeof DECOMPOSITION_METHODS)[number]

/** How a mesh is cut into convex pieces. */
export interface DecompositionSettings {
  /**
   * Exact cells along the mesh's own faces; cuts by the planes with the least excess volume, which keep holes open; V-HACD on voxels, for
   * surfaces that leak or are too fine for cuts; or the first of these that needs no more than `maxPieces`. Plates behind the surface as it is, for open
   * ones, such as terrain; `auto` takes them for those.
   */
  readonly method: DecompositionMethod
  readonly maxPieces: number
  /** Voxels along the longest side; voxel method only. */
  readonly resolution: number
  /** Share of a piece's hull that may be empty, 0 to 1; cuts and voxels only. */
  readonly concavity: number
}

export interface MeshRequest {
  /** Chosen by the caller, for progress reports and cancelling. */
  readonly ticket: string
  readonly source:
    /** `beside` has the files that it may name, material libraries and pictures. Without it colours and textures are not read. */
    | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array; readonly beside?: readonly NamedFile[] | undefined }
    | { readonly kind: 'mesh'; readonly vertices: readonly Point[]; readonly faces: readonly (readonly number[])[] }
    /** A file below the folder of a document. */
    | { readonly kind: 'file'; readonly document: Handle; readonly path: string }
  /** m per unit of the source. */
  readonly scale: number
  readonly settings: DecompositionSettings
}

export type Point = readonly [number, number, number]

export interface DecomposedMesh {
  /** Triangles in the source's unit, faces outwards, equal vertices joined. */
  readonly vertices: Point[]
  readonly faces: number[][]
  /** Whether the source's faces pointed inwards. */
  readonly turned: boolean
  /** Corners of each convex piece, m. */
  readonly pieces: Point[][]
  readonly method: 'exact' | 'approximate' | 'surface'
  /** Largest depth of the plates behind a surface that is kept as it is, m; null for solids. */
  readonly depth: number | null
  /** Largest distance by which the pieces exceed the mesh, m, accurate to a sixtieth of its size; 0 if exact, null if its surface is open. */
  readonly reach: number | null
  /** Faces of the pieces with their distance beyond the mesh; null if exact or its surface is open. */
  readonly deviation: PiecesDeviation | null
  /** Straight through holes of the mesh that the pieces close or narrow; none if its surface is open. */
  readonly holes: readonly ClosedHole[]
  /** Enclosed volume, m³; null if the surface is open. */
  readonly volume: number | null
  /** Sum of the pieces' volumes, m³. */
  readonly piecesVolume: number
  /** As stored in the scene for a mesh in a file; null if the surface is open. */
  readonly solid: { readonly volume: number; readonly centroid: Point; readonly inertia: readonly [number, number, number, number, number, number] } | null
  /** Its colours and textures, at the same scale; null if it has none, and for sources other than files with what lies beside them. */
  readonly look: MeshLook | null
  /** Repairs and observations, for users. */
  readonly notes: string[]
}

/** The faces of pieces, divided into small triangles. */
export interface PiecesDeviation {
  /** m, 3 a corner. */
  readonly points: Float32Array
  readonly triangles: Uint32Array
  /** m beyond the mesh, one a corner. */
  readonly distances: Float32Array
}

export interface ClosedHole {
  /** Centre, m. */
  readonly centre: Point
  /** m */
  readonly diameter: number
  /** Share of its cross-section that the pieces leave open. */
  readonly open: number
}

/** Open share below which a hole is reported as closed, and above which it is not reported. */
export const [CLOSED_HOLE, OPEN_HOLE] = [0.02, 0.6] as const
/** Largest number of holes reported one by one. */
const NAMED = 4

/** Sentences about the holes that the pieces close or narrow. */
export function holeNotes({ holes, pieces }: Pick<DecomposedMesh, 'holes' | 'pieces'>): string[] {
  const size = Math.max(...pieces.flat(2).map(Math.abs))
  const named = holes.slice(0, NAMED).map(({ centre, diameter, open }) => {
    const at = centre.map(x => shortNumber(Math.abs(x) < 1e-3 * size ? 0 : x, 3)).join(', ')
    return `The hole of ${inLength(diameter)} about (${at}) m is ${open < CLOSED_HOLE ? 'closed' : `narrowed to ${shortNumber(100 * open, 2)} % of its section`}.`
  })
  return holes.length > NAMED ? [...named, `${holes.length - NAMED} more holes are closed or narrowed.`] : named
}

const inLength = (metres: number): string => Number(metres.toPrecision(3)) < 0.1 ? `${shortNumber(1000 * metres, 3)} mm` : `${shortNumber(metres, 3)} m`

export type DecompositionStage = 'reading' | 'cutting' | 'approximating' | 'voxels'

/** Relative difference between the pieces' and the mesh's volume above which the user is asked. */
export const NOTABLE_SHARE = 0.05

/** Whether the pieces differ so much from the mesh, in volume or by a hole, that the user should decide. False for open surfaces, which have no volume. */
export function isNotable({ volume, piecesVolume, holes }: Pick<DecomposedMesh, 'volume' | 'piecesVolume' | 'holes'>): boolean {
  return holes.length > 0 || (volume !== null && Math.abs(piecesVolume / volume - 1) > NOTABLE_SHARE)
}
