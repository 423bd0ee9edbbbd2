/** What is asked for, and what comes, when a mesh is cut into convex pieces. */

import type { Handle } from './documents'

export const DECOMPOSITION_METHODS = ['auto', 'exact', 'approximate', 'voxels'] as const
export type DecompositionMethod = (typeof DECOMPOSITION_METHODS)[number]

/** How a mesh is cut into convex pieces. */
export interface DecompositionSettings {
  /**
   * Exact cells along the mesh's own faces; cuts by the planes that leave the least waste, which keep holes open; V-HACD's voxels, for surfaces that are
   * open or too fine to be cut; or the first of these that needs no more than `maxPieces`.
   */
  readonly method: DecompositionMethod
  readonly maxPieces: number
  /** Voxels along the longest side, of that method. */
  readonly resolution: number
  /** How much of its hull a piece may leave empty, 0 to 1, of cuts and voxels. */
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
  /** How far the pieces reach beyond the mesh, m, to within a sixtieth of its size; 0 where they are exact, null where its surface is open. */
  readonly reach: number | null
  /** What the surface encloses, m³; null where it is open. */
  readonly volume: number | null
  /** Sum of the pieces', m³. */
  readonly piecesVolume: number
  /** As the scene keeps it of a mesh in a file; null where the surface is open. */
  readonly solid: { readonly volume: number; readonly centroid: Point; readonly inertia: readonly [number, number, number, number, number, number] } | null
  /** What was found and mended, for people. */
  readonly notes: string[]
}

export type DecompositionStage = 'reading' | 'cutting' | 'approximating' | 'voxels'

/** Share by which the pieces may differ from the mesh's volume before a person is asked. */
export const NOTABLE_SHARE = 0.05

/** Whether the pieces differ so much from the mesh that a person should decide; not where its surface is open and has no volume. */
export function isNotable({ volume, piecesVolume }: Pick<DecomposedMesh, 'volume' | 'piecesVolume'>): boolean {
  return volume !== null && Math.abs(piecesVolume / volume - 1) > NOTABLE_SHARE
}
