/** The parts of glTF 2.0 that are read and written, with the physics extensions as in their drafts. */

export const RIGID_BODIES = 'KHR_physics_rigid_bodies'
export const IMPLICIT_SHAPES = 'KHR_implicit_shapes'

export interface GltfNode {
  name?: string
  children?: number[]
  mesh?: number
  translation?: readonly number[]
  rotation?: readonly number[]
  scale?: readonly number[]
  matrix?: readonly number[]
  extensions?: Record<string, unknown>
  extras?: unknown
}

export interface GltfPrimitive {
  attributes: Record<string, number>
  indices?: number
  mode?: number
  material?: number
  /** Morph targets: differences of each attribute, to be multiplied by the target's weight. */
  targets?: Record<string, number>[]
}

export interface GltfAccessor {
  bufferView?: number
  byteOffset?: number
  componentType: number
  count: number
  type: string
  normalized?: boolean
  min?: readonly number[]
  max?: readonly number[]
  sparse?: unknown
}

export interface GltfBufferView {
  buffer: number
  byteOffset?: number
  byteLength: number
  byteStride?: number
  target?: number
}

export interface GltfAnimation {
  name?: string
  channels: { sampler: number; target: { node: number; path: string } }[]
  samplers: { input: number; output: number; interpolation?: string }[]
}

export interface Gltf {
  asset: { version: string; generator?: string }
  scene?: number
  scenes?: { name?: string; nodes?: number[]; extras?: unknown }[]
  nodes?: GltfNode[]
  meshes?: { name?: string; primitives: GltfPrimitive[]; weights?: readonly number[] }[]
  materials?: {
    name?: string
    doubleSided?: boolean
    pbrMetallicRoughness?: { baseColorFactor?: readonly number[]; baseColorTexture?: { index: number }; metallicFactor?: number; roughnessFactor?: number }
  }[]
  textures?: { source?: number; sampler?: number }[]
  images?: { name?: string; uri?: string; bufferView?: number; mimeType?: string }[]
  accessors?: GltfAccessor[]
  bufferViews?: GltfBufferView[]
  buffers?: { uri?: string; byteLength: number }[]
  animations?: GltfAnimation[]
  extensions?: Record<string, unknown>
  extensionsUsed?: string[]
  extensionsRequired?: string[]
}

/** Limit of a joint. A coordinate without a bound is free on that side. */
export interface GltfLimit {
  linearAxes?: number[]
  angularAxes?: number[]
  min?: number
  max?: number
  stiffness?: number
  damping?: number
}

export interface GltfDrive {
  type: 'linear' | 'angular'
  mode?: 'force' | 'acceleration'
  axis: number
  maxForce?: number
  positionTarget?: number
  velocityTarget?: number
  stiffness?: number
  damping?: number
}

export interface GltfPhysicsJoint {
  name?: string
  limits?: GltfLimit[]
  drives?: GltfDrive[]
}

/** Fields of an object from outside; empty if the value is not an object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Readonly<Record<string, unknown>> : {}
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
