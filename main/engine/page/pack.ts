/** Data of a run's HTML page: columns of numbers in sections, and a directory of them with all texts. */
import { DeformableSurface } from '../../../core/analysis/deformable-surface'
import { surfaceOf, fans } from '../../../core/formats/shared/surface'
import { srgbOf } from '../../../core/formats/shared/colors'
import { composePoses, IDENTITY_POSE, toOuter } from '../../../core/math/pose'
import { length } from '../../../core/math/vector'
import type { ResolvedDeformable, ResolvedScene } from '../../../core/scene'
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { CONTACT_MODES } from '../../../core/vocabulary'
import type { TrajectoryReader } from '../reader'

type Column = Float64Array | Float32Array | Uint32Array | Uint16Array

/** A drawn surface: its ranges in the columns of corners and triangles. */
interface Surface { readonly body: number; readonly color: readonly number[]; readonly vertices: number; readonly indices: number; readonly endless: boolean }

/** A sheet, tube or ball of a deformable: its ranges in the columns of particles and corners. */
interface Part {
  readonly deformable: number
  readonly kind: 'sheet' | 'tube' | 'ball'
  readonly color: readonly number[]
  /** m */
  readonly radius: number
  readonly particles: number
  readonly corners: number
}

export interface PackedRun {
  /** Read by the page. */
  readonly meta: object
  readonly data: Uint8Array
}

/** Bytes per body and per contact in a frame. */
const BODY_BYTES = 3 * 8 + 7 * 4
const CONTACT_FLOATS = 10
const CONTACT_IDS = 3
const CONTACT_BYTES = CONTACT_FLOATS * 4 + CONTACT_IDS * 2
const FRAME_BYTES = 6 * 8
const PARTICLE_BYTES = 3 * 8

/** Bytes of a run with every frame. */
export function bytesOf(reader: TrajectoryReader, frames: readonly number[]): number {
  const bodies = reader.header.bodyIds.length
  const particles = particlesOf(reader) * PARTICLE_BYTES
  return frames.reduce((sum, number) => sum + FRAME_BYTES + particles + bodies * BODY_BYTES + reader.contacts(number).count * CONTACT_BYTES, 0)
}

const particlesOf = (reader: TrajectoryReader): number => reader.header.deformableIds.length === 0 ? 0 : reader.deformables(0).position.length / 3

/** @param frames indices of the frames that are included */
export function packRun(reader: TrajectoryReader, scene: ResolvedScene, frames: readonly number[], facts: object): PackedRun {
  const { header } = reader
  const bodies = header.bodyIds.length
  const columns: Record<string, Column> = {}
  const surfaces = packSurfaces(scene, columns)
  const parts = packParts(scene, columns)
  const particles = particlesOf(reader)
  const particle = new Float64Array(3 * particles * frames.length)
  const time = new Float64Array(frames.length)
  const position = new Float64Array(3 * bodies * frames.length)
  const orientation = new Float32Array(4 * bodies * frames.length)
  const velocity = new Float32Array(3 * bodies * frames.length)
  const energy = new Float64Array(4 * frames.length)
  const penetration = new Float64Array(frames.length)
  const starts = new Uint32Array(frames.length + 1)
  frames.forEach((number, k) => { starts[k + 1] = starts[k]! + reader.contacts(number).count })
  const contacts = new Float32Array(CONTACT_FLOATS * starts.at(-1)!)
  const ids = new Uint16Array(CONTACT_IDS * starts.at(-1)!)
  frames.forEach((number, k) => {
    const frame = reader.frame(number)
    time[k] = frame.time
    for (let body = 0; body < bodies; body++) {
      const [from, to] = [body * BODY_STRIDE, k * bodies + body]
      position.set(frame.bodies.subarray(from, from + 3), 3 * to)
      orientation.set(frame.bodies.subarray(from + 3, from + 7), 4 * to)
      velocity.set(frame.bodies.subarray(from + 7, from + 10), 3 * to)
    }
    if (particles > 0) particle.set(reader.deformables(number).position, 3 * particles * k)
    const { energy: audit, maxPenetration } = reader.certificate(number)
    energy.set([audit.kinetic, audit.potential, audit.elastic, audit.residual], 4 * k)
    penetration[k] = maxPenetration
    const found = reader.contacts(number)
    for (let c = 0; c < found.count; c++) {
      const [at, to] = [3 * c, starts[k]! + c]
      const force = [0, 1, 2].map(i => found.normal[at + i]! * found.normalForce[c]! + found.frictionForce[at + i]!)
      const friction = Math.hypot(found.frictionForce[at]!, found.frictionForce[at + 1]!, found.frictionForce[at + 2]!)
      contacts.set([...found.point.subarray(at, at + 3), ...force, found.normalForce[c]!, friction, found.coneUsage[c]!, found.gap[c]!], CONTACT_FLOATS * to)
      ids.set([found.bodyA[c]!, found.bodyB[c]!, found.mode[c]!], CONTACT_IDS * to)
    }
  })
  Object.assign(columns, { time, position, orientation, velocity, energy, penetration, starts, contacts, ids, particle })
  const sections: Record<string, { type: string; at: number; length: number }> = {}
  let size = 0
  for (const [name, column] of Object.entries(columns)) {
    sections[name] = { type: column.constructor.name, at: size, length: column.length }
    size += Math.ceil(column.byteLength / 8) * 8
  }
  const data = new Uint8Array(size)
  for (const [name, column] of Object.entries(columns)) data.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), sections[name]!.at)
  const named = [...scene.bodies.map(({ id, name, type }) => ({ id, name: name || id, fixed: type === 'fixed' })), ...header.deformableIds.map(id => ({ id, name: id, fixed: true }))]
  const widths = { contactFloats: CONTACT_FLOATS, contactIds: CONTACT_IDS }
  return { meta: { ...facts, bodies: named, count: bodies, particles, modes: CONTACT_MODES, surfaces, parts, sections, ...widths }, data }
}

const colorsOf = (scene: ResolvedScene) => new Map(scene.materials.map(({ id, color }) => [id, srgbOf(color)] as const))
const UNPAINTED: readonly number[] = [0.6, 0.6, 0.6]

function packParts(scene: ResolvedScene, columns: Record<string, Column>): Part[] {
  const colors = colorsOf(scene)
  const particles: number[] = []
  const corners: number[] = []
  let first = 0
  const parts = scene.deformables.flatMap((deformable: ResolvedDeformable, index): Part[] => {
    const surface = new DeformableSurface([deformable])
    const color = colors.get(deformable.material) ?? UNPAINTED
    const own = surface.parts.map((part): Part => {
      for (const i of part.particles) particles.push(first + i)
      for (const i of part.triangles) corners.push(i)
      return { deformable: index, kind: part.kind, color, radius: part.radius, particles: part.particles.length, corners: part.triangles.length }
    })
    first += surface.initial.length / 3
    return own
  })
  columns.partParticles = Uint32Array.from(particles)
  columns.partCorners = Uint32Array.from(corners)
  return parts
}

function packSurfaces(scene: ResolvedScene, columns: Record<string, Column>): Surface[] {
  const extent = scene.bodies.reduce((most, body) => Math.max(most, 2 * length(body.position)), 10)
  const colors = colorsOf(scene)
  const points: number[] = []
  const corners: number[] = []
  const surfaces = scene.bodies.flatMap((body, index) => body.shapes.flatMap((shape): Surface[] => {
    if (shape.type === 'mesh' && shape.pieces === undefined && shape.vertices === undefined) return []
    const { vertices, faces } = surfaceOf(shape, extent)
    const pose = composePoses(IDENTITY_POSE, shape)
    for (const vertex of vertices) points.push(...toOuter(pose, vertex))
    const triangles = fans(faces).flat()
    for (const corner of triangles) corners.push(corner)
    const color = colors.get(shape.material) ?? UNPAINTED
    return [{ body: index, color, vertices: vertices.length, indices: triangles.length, endless: shape.type === 'halfSpace' }]
  }))
  columns.vertices = Float32Array.from(points)
  columns.indices = Uint32Array.from(corners)
  return surfaces
}
