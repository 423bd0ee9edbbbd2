/** Requests and results of convex decompositions. */

import type { Handle } from './documents'

export const DECOMPOSITION_METHODS = ['auto', 'exact', 'approximate', 'voxels'] as const
export type DecompositionMethod = (typeof DECOMPOSITION_METHODS)[number]

/** How a mesh is cut into convex pieces. */
export interface DecompositionSettings {
  /**
   * Exact cells along the mesh's own faces; cuts by the planes with the least excess volume, which keep holes open; V-HACD on voxels, for
   * surfaces that are open or too fine for cuts; or the first of these that needs no more than `maxPieces`.
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
  /** Largest distance by which the pieces exceed the mesh, m, accurate to a sixtieth of its size; 0 if exact, null if its surface is open. */
  readonly reach: number | null
  /** Enclosed volume, m³; null if the surface is open. */
  readonly volume: number | null
  /** Sum of the pieces' volumes, m³. */
  readonly piecesVolume: number
  /** As stored in the scene for a mesh in a file; null if the surface is open. */
  readonly solid: { readonly volume: number; readonly centroid: Point; readonly inertia: readonly [number, number, number, number, number, number] } | null
  /** Repairs and observations, for users. */
  readonly notes: string[]
}

export type DecompositionStage = 'reading' | 'cutting' | 'approximating' | 'voxels'

/** Relative difference between the pieces' and the mesh's volume above which the user is asked. */
export const NOTABLE_SHARE = 0.05

/** Whether the pieces differ enough from the mesh that the user should decide. False for open surfaces, which have no volume. */
export function isNotable({ volume, piecesVolume }: Pick<DecomposedMesh, 'volume' | 'piecesVolume'>): boolean {
  return volume !== null && Math.abs(piecesVolume / volume - 1) > NOTABLE_SHARE
}
