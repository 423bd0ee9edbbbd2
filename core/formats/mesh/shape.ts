/** Converts a decomposed mesh to a shape of the scene, and to a scene. */

import { max, min, type Vec3 } from '../../math/vector'
import type { InertiaComponents, Scene, ShapeOf } from '../../scene'

export interface FoundPieces {
  readonly vertices: readonly Vec3[]
  readonly faces: readonly (readonly number[])[]
  /** Corners of each piece, m. */
  readonly pieces: readonly (readonly Vec3[])[]
  readonly solid: { readonly volume: number; readonly centroid: Vec3; readonly inertia: InertiaComponents } | null
}

/**
 * @param scale m per unit of the vertices
 * @param file path relative to the scene; if absent, the vertices are embedded
 */
export function meshShape(found: FoundPieces, material: string, scale: number, file?: string): ShapeOf<'mesh'> {
  const pieces = found.pieces.map(points => ({ points: [...points] }))
  return {
    type: 'mesh',
    ...(file === undefined ? { vertices: [...found.vertices], faces: found.faces.map(face => [...face]) } : { file }),
    ...(scale === 1 ? {} : { scale }),
    pieces,
    ...(file === undefined || found.solid === null ? {} : { solid: found.solid }),
    material,
  }
}

/** A mesh of the document with recomputed convex pieces; its surface is unchanged except for inverted faces. */
export function withPieces(shape: ShapeOf<'mesh'>, found: FoundPieces & { readonly turned: boolean }): ShapeOf<'mesh'> {
  const { pieces: _pieces, solid: _solid, ...rest } = shape
  const { material, ...made } = meshShape(found, shape.material, shape.scale ?? 1, shape.file)
  if (shape.file !== undefined || found.turned) return { ...rest, ...made, material }
  return { ...rest, pieces: made.pieces, material }
}

/** Lowest and highest corner of the pieces, m. */
export function boundsOfPieces(found: Pick<FoundPieces, 'pieces'>): readonly [Vec3, Vec3] {
  const points = found.pieces.flat()
  return [points.reduce(min), points.reduce(max)]
}

/** A scene with the mesh a tenth of its height above the ground, or as the ground. */
export function meshScene(name: string, id: string, shape: ShapeOf<'mesh'>, density: number, isGround = false): Scene {
  const [low, high] = boundsOfPieces({ pieces: shape.pieces!.map(piece => piece.points) })
  return {
    format: 'cairn-scene', version: 1, name,
    materials: [{ id: shape.material, density, friction: { static: 0.5, dynamic: 0.4 } }],
    bodies: isGround ? [{ id, type: 'fixed', shapes: [shape] }] : [
      { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: shape.material }] },
      { id, position: [0, 0, (high[2] - low[2]) / 10 - low[2]], shapes: [shape] },
    ],
    simulation: { duration: 5 },
  }
}
