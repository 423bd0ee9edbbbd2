/**
 * Deformables for the equations of motion: particles with masses, and the elements between them. The scene's deformables are compiled to indices and
 * flat arrays. The particles of all deformables are contiguous in one block (`ParticleBlock`), and every index here counts from the start of that
 * block, so that no list has to be shifted when they are stepped together.
 */

import type { Vec3 } from '../math/vector'
import type { Curve } from './joints/parametric-curve'
import type { ParticlePath } from './joints/particle-path'

export type DeformableType = 'particles' | 'rope' | 'hair' | 'cloth'

/** Springs with damping between particles [PBM01-C eq. 1], one entry of each column a spring. */
export interface Springs {
  readonly a: Int32Array
  readonly b: Int32Array
  /** m */
  readonly restLength: Float64Array
  /** N/m */
  readonly stiffness: Float64Array
  /** N s/m */
  readonly damping: Float64Array
}

/** A chain of particles: a rope, or one strand of hair. */
export interface Strand {
  /** In order; consecutive ones are joined by a segment. */
  readonly particles: Int32Array
  /** m, by segment: one fewer than particles. */
  readonly restLength: Float64Array
  /** Whether the rest shape is straight; otherwise it is the initial shape. */
  readonly straight: boolean
  /** EA, N, and EI, N m². */
  readonly axial: number
  readonly bending: number
  /** Segments are rods, enforced by multipliers; EA is not used. */
  readonly inextensible: boolean
  /** By segment: 1 if both of its ends are held by one support, so that it does not bend. */
  readonly clamped: Uint8Array
  /** Painted factors of EA, one a segment, and of EI, one a vertex. Null: 1 everywhere. */
  readonly stretchFactors: Float64Array | null
  readonly bendFactors: Float64Array | null
}

/** A sheet of triangles. */
export interface Sheet {
  /** 3 a triangle. */
  readonly triangles: Int32Array
  /** Warp and weft coordinates of each triangle's corners, m, 6 a triangle. */
  readonly restUV: Float64Array
  /** Whether the rest shape is flat; otherwise it is the initial shape. */
  readonly flat: boolean
  /** Stretch along warp and weft, and shear, N/m. */
  readonly stretchWarp: number
  readonly stretchWeft: number
  readonly shear: number
  /** Bending along warp and weft, N m. */
  readonly bendWarp: number
  readonly bendWeft: number
  /** Painted factors of stretch, of shear and of bending, one a triangle: the mean of its corners. Null: 1 everywhere. */
  readonly stretchFactors: Float64Array | null
  readonly shearFactors: Float64Array | null
  readonly bendFactors: Float64Array | null
  /** Pairs of particles that are sewn together. */
  readonly seams: Int32Array
}

/** Weighted particles that are held at a point of a body: one particle, or the three of a triangle. */
export interface Attachment {
  readonly particles: Int32Array
  /** Sum to 1. */
  readonly weights: Float64Array
  /** Index; −1 is the world. */
  readonly body: number
  /** m, in the body frame; world frame where the body is the world. */
  readonly point: Vec3
}

/** A point of a body that takes part in conditions. */
export interface BodyPoint {
  /** Index; −1 is the world. */
  readonly body: number
  /** m, in the body frame; world frame where the body is the world. */
  readonly point: Vec3
}

/**
 * A condition on particles, with the values that make it hold [PBM01-C §6]. Lines, planes and curves hold each of their particles. Points of bodies are
 * numbered after all particles and the blocks, two each, of all dynamic bodies.
 */
export type ParticleCondition = { readonly particles: Int32Array } & (
  | { readonly type: 'coincide' }
  | { readonly type: 'distance'; readonly distance: number }
  | { readonly type: 'point' | 'centre'; readonly point: Vec3 }
  | { readonly type: 'line'; readonly point: Vec3; readonly direction: Vec3 }
  | { readonly type: 'plane'; readonly point: Vec3; readonly normal: Vec3 }
  | { readonly type: 'curve'; readonly curve: Curve }
  | { readonly type: 'angle'; readonly angle: number }
  | { readonly type: 'area'; readonly area: number }
  /** m³, signed by the order of its particles. */
  | { readonly type: 'volume'; readonly volume: number })

/** Number of elements of a condition: lines, planes and curves have one for each particle. */
export function elementsOf({ type, particles }: ParticleCondition): number {
  return type === 'line' || type === 'plane' || type === 'curve' ? particles.length : 1
}

/** An energy k_s/2 C² with damping. */
export interface Behaviour {
  readonly condition: ParticleCondition
  readonly stiffness: number
  readonly damping: number
}

/** A condition that holds exactly. */
export interface Constraint {
  readonly condition: ParticleCondition
  /** k_s, 1/s², and k_d, 1/s, of C̈ + k_d Ċ + k_s C = 0; null: C = 0 after every step. */
  readonly feedback: { readonly stiffness: number; readonly damping: number } | null
}

/** A particle on a prescribed path. */
export interface Controlled {
  readonly particle: number
  /** m, world frame: its initial position, to which the path's offset adds. */
  readonly from: Vec3
  readonly path: ParticlePath
}

export interface Deformable {
  /** In the scene's list of deformables. */
  readonly index: number
  readonly id: string
  readonly type: DeformableType
  /** Its particles in the block. */
  readonly first: number
  readonly count: number
  /** m: half the thickness; contacts are at this distance from the particles. */
  readonly radius: number
  /** Index into the document's materials. */
  readonly material: number
  /** s: damping of its elements ÷ their stiffness. */
  readonly damping: number
  readonly springs: Springs | null
  readonly strands: readonly Strand[]
  readonly sheet: Sheet | null
  /** Particles held by the world at their initial positions. */
  readonly pins: Int32Array
  readonly attachments: readonly Attachment[]
  readonly controlled: readonly Controlled[]
  readonly behaviours: readonly Behaviour[]
  readonly constraints: readonly Constraint[]
}

/** All deformables of a world: their particles at the start, and the elements between them. */
export interface Deformables {
  readonly list: readonly Deformable[]
  /** kg, by particle. */
  readonly mass: Float64Array
  /** m and m/s, 3 a particle. */
  readonly position: Float64Array
  readonly velocity: Float64Array
  /** Points of bodies in conditions, and the number of the first in them. */
  readonly points: readonly BodyPoint[]
  readonly firstPoint: number
}
