/** What is asked for, and what comes, when a mesh is cut into convex pieces. */

import type { Handle } from './documents'

/** How a mesh is cut into convex pieces. */
export interface DecompositionSettings {
  /** Exact cuts along the mesh's own faces, V-HACD's voxels, or the first where it needs no more than `maxPieces`. */
  readonly method: 'auto' | 'exact' | 'approximate'
  readonly maxPieces: number
  /** Voxels along the longest side, of the approximate method. */
  readonly resolution: number
  /** How much of its hull a piece may leave empty, 0 to 1, of the approximate method. */
  readonly concavity: number
}

export interface MeshRequest {
  /** Chosen by the caller, to be told of progress and to cancel. */
  readonly ticket: string
  readonly source:
    | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array }
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
  readonly method: 'exact' | 'approximate'
  /** What the surface encloses, m³; null where it is open. */
  readonly volume: number | null
  /** Sum of the pieces', m³. */
  readonly piecesVolume: number
  /** As the scene keeps it of a mesh in a file; null where the surface is open. */
  readonly solid: { readonly volume: number; readonly centroid: Point; readonly inertia: readonly [number, number, number, number, number, number] } | null
  /** What was found and mended, for people. */
  readonly notes: string[]
}

export type DecompositionStage = 'reading' | 'cutting' | 'approximating'
