/** Edits of a deformable's vertices. Empty lists are removed, so that undoing all edits by hand restores the original text. */

import { cross, distance, length, sub, type Vec3 } from '../../core/math/vector'
import { deformableShape } from '../../core/analysis/deformable-shape'
import { resolveDeformable, type Deformable, type OtherPlace, type VertexCondition } from '../../core/scene'

type Vertices = ReadonlySet<number>
type Seam = readonly [number, number]

/** Pins vertices to the world at their present positions, replacing former constraints. */
export function pinVertices(draft: Deformable, vertices: Vertices): void {
  releaseVertices(draft, vertices)
  draft.pins = [...draft.pins ?? [], ...vertices].sort((a, b) => a - b)
}

/** Attaches vertices to a body at their present positions, replacing former constraints. */
export function attachVertices(draft: Deformable, vertices: Vertices, body: string): void {
  releaseVertices(draft, vertices)
  draft.attachments = [...draft.attachments ?? [], ...[...vertices].sort((a, b) => a - b).map(vertex => ({ vertex, body }))]
}

/** Puts vertices on a path, replacing former constraints: they swing along z by a tenth of the deformable's size, for the user to change. */
export function controlVertices(draft: Deformable, vertices: Vertices): void {
  releaseVertices(draft, vertices)
  const swing = Number((0.1 * sizeOf(draft)).toPrecision(2))
  draft.controlled = [...draft.controlled ?? [], { vertices: [...vertices].sort((a, b) => a - b), motion: { type: 'ellipse', semiAxisB: [0, 0, swing], period: 1 } }]
}

/** m: diagonal of its box at the start. */
function sizeOf(deformable: Deformable): number {
  const { vertices } = deformableShape(resolveDeformable(deformable))
  const extents = [0, 1, 2].map(k => Math.max(...vertices.map(p => p[k]!)) - Math.min(...vertices.map(p => p[k]!)))
  return Math.hypot(...extents) || 1
}

/** A place of another deformable or a body that is joined to vertices, and where it is. */
export interface JoinedPlace {
  readonly place: OtherPlace
  readonly at: Vec3
}

/**
 * The condition that vertices, and places of other deformables after them, satisfy at the start, by their number: a point, a distance, an angle, a volume
 * or a centre of mass. Angles of 0 and 180° have no direction: vertices on a line keep their centre of mass instead. Null for too many.
 */
export function conditionFor(deformable: Deformable, chosen: Vertices, joined: readonly JoinedPlace[] = []): VertexCondition | null {
  const vertices = [...chosen].sort((a, b) => a - b)
  const own = deformableShape(resolveDeformable(deformable)).vertices
  const [a, b, c] = [...vertices.map(vertex => own[vertex]!), ...joined.map(({ at }) => at)] as [Vec3, Vec3, Vec3]
  const all = { vertices, ...joined.length > 0 ? { others: joined.map(({ place }) => place) } : {} }
  if (vertices.length === 0) return null
  switch (vertices.length + joined.length) {
    case 1: return { type: 'point', vertex: vertices[0]! }
    case 2: return distance(a, b) > SEWN ? { type: 'distance', ...all } : { type: 'coincide', ...all }
    case 3: {
      const [p, q] = [sub(a, b), sub(c, b)]
      if (length(cross(p, q)) > 1e-6 * length(p) * length(q)) return { type: 'angle', ...all }
      break
    }
    case 4: {
      const [p, q] = [sub(b, a), sub(c, a)]
      if (length(cross(p, q)) > 1e-6 * length(p) * length(q)) return { type: 'volume', ...all }
      break
    }
  }
  return vertices.length + joined.length <= MOST_OF_CENTRE ? { type: 'centre', ...all } : null
}

/** Most vertices of a centre of mass in the format. */
const MOST_OF_CENTRE = 100

/** Adds an energy that draws vertices to a condition: with 100 N/m a mass of 1 kg swings at 10 rad/s. */
export function drawVertices(draft: Deformable, condition: VertexCondition): void {
  draft.behaviours = [...draft.behaviours ?? [], { condition, stiffness: 100, damping: 1 }]
}

/** Adds an exact constraint. */
export function constrainVertices(draft: Deformable, condition: VertexCondition): void {
  draft.constraints = [...draft.constraints ?? [], { condition }]
}

/** Removes pins, attachments and paths of vertices; attachments of triangles stay. */
export function releaseVertices(draft: Deformable, vertices: Vertices): void {
  const pins = (draft.pins ?? []).filter(vertex => !vertices.has(vertex))
  const attachments = (draft.attachments ?? []).filter(({ vertex }) => vertex === undefined || !vertices.has(vertex))
  const controlled = (draft.controlled ?? []).map(one => ({ ...one, vertices: one.vertices.filter(vertex => !vertices.has(vertex)) }))
    .filter(one => one.vertices.length > 0)
  if (controlled.length === 0) delete draft.controlled
  else draft.controlled = controlled
  if (pins.length === 0) delete draft.pins
  else draft.pins = pins
  if (attachments.length === 0) delete draft.attachments
  else draft.attachments = attachments
}

/** m: largest distance of vertices in a seam. */
const SEWN = 1e-9

/**
 * Seams for the selected vertices: each is joined to the first vertex at the same place. Two vertices that are apart are returned too, so that
 * the document's check reports the error.
 */
export function seamsBetween(deformable: Deformable, vertices: Vertices): Seam[] {
  const places = deformableShape(resolveDeformable(deformable)).vertices
  const chosen = [...vertices].sort((a, b) => a - b)
  const firsts: { readonly vertex: number; readonly at: Vec3 }[] = []
  const seams: [number, number][] = []
  for (const vertex of chosen) {
    const at = places[vertex]!
    const first = firsts.find(one => distance(one.at, at) <= SEWN)
    if (first) seams.push([first.vertex, vertex])
    else firsts.push({ vertex, at })
  }
  return seams.length === 0 && chosen.length === 2 ? [[chosen[0]!, chosen[1]!]] : seams
}

const joins = (seam: Seam, [a, b]: Seam): boolean => (seam[0] === a && seam[1] === b) || (seam[0] === b && seam[1] === a)

export function sew(draft: Deformable, seams: readonly Seam[]): void {
  if (draft.type !== 'cloth') return
  const present = draft.seams ?? []
  draft.seams = [...present, ...seams.filter(seam => !present.some(one => joins(one, seam)))]
}

/** Removes seams at any of the vertices. */
export function unpick(draft: Deformable, vertices: Vertices): void {
  if (draft.type !== 'cloth') return
  const seams = (draft.seams ?? []).filter(([a, b]) => !vertices.has(a) && !vertices.has(b))
  if (seams.length === 0) delete draft.seams
  else draft.seams = seams
}

/** @param mass kg, of each vertex */
export function weighVertices(draft: Deformable, vertices: Vertices, mass: number): void {
  if (draft.type !== 'particles') return
  draft.particles = draft.particles.map((particle, vertex) => vertices.has(vertex) ? { ...particle, mass } : particle)
}

/** Stiffnesses that can be painted, and the field with their factors: all of cloth, stretching and bending of hair. */
export const PAINTED = { stretch: 'stretchFactors', shear: 'shearFactors', bend: 'bendFactors' } as const
export type PaintedStiffness = keyof typeof PAINTED

const ALL: readonly PaintedStiffness[] = ['stretch', 'shear', 'bend']
const OF_HAIR: readonly PaintedStiffness[] = ['stretch', 'bend']

/** Stiffnesses of a deformable that can be painted. */
export const paintable = ({ type }: Deformable): readonly PaintedStiffness[] => type === 'cloth' ? ALL : type === 'hair' ? OF_HAIR : []

/** Fields with factors; those that a type does not have are never written. */
type Painted = Partial<Record<(typeof PAINTED)[PaintedStiffness], readonly number[]>>

/** Factor by vertex, 1 where nothing is painted; null if it cannot be painted. */
export function paintedFactors(deformable: Deformable, what: PaintedStiffness): readonly number[] | null {
  if (!paintable(deformable).includes(what)) return null
  return (deformable as Painted)[PAINTED[what]] ?? deformableShape(resolveDeformable(deformable)).vertices.map(() => 1)
}

/** Significant digits of painted factors: more would only be seen in the file. */
const DIGITS = 4

/**
 * Moves the factors of vertices towards `value`, each by its share of the difference. Without any factor but 1 the field is removed.
 * @param shares by vertex, 0 … 1
 */
export function paintVertices(draft: Deformable, what: PaintedStiffness, shares: ReadonlyMap<number, number>, value: number): void {
  const factors = paintedFactors(draft, what)?.map((factor, vertex) => {
    const share = shares.get(vertex) ?? 0
    return share > 0 ? Number((factor + share * (value - factor)).toPrecision(DIGITS)) : factor
  })
  if (factors === undefined) return
  if (factors.every(factor => factor === 1)) delete (draft as Painted)[PAINTED[what]]
  else (draft as Painted)[PAINTED[what]] = factors
}

/** Share of the brush's radius within which its strength is whole; it falls smoothly to 0 at the rim. */
const CORE = 0.5

/** @param distance from the middle of the brush ÷ its radius. @returns 0 … 1 */
export function brushShare(distance: number): number {
  const t = Math.min(1, Math.max(0, (1 - distance) / (1 - CORE)))
  return t * t * (3 - 2 * t)
}

/** Formats vertex numbers as ranges: `0, 8–12`. */
export function writeRanges(vertices: Vertices): string {
  const sorted = [...vertices].sort((a, b) => a - b)
  const ranges: [number, number][] = []
  for (const vertex of sorted) {
    const last = ranges.at(-1)
    if (last && last[1] === vertex - 1) last[1] = vertex
    else ranges.push([vertex, vertex])
  }
  return ranges.map(([from, to]) => from === to ? String(from) : `${from}–${to}`).join(', ')
}

/** @returns null if the text is not a list of numbers below `count` */
export function readRanges(text: string, count: number): Vertices | null {
  const vertices = new Set<number>()
  for (const piece of text.replace(/\s*[–-]\s*/g, '–').split(/[\s,;]+/).filter(part => part !== '')) {
    const found = /^(\d+)(?:–(\d+))?$/.exec(piece)
    if (!found) return null
    const [from, to] = [Number(found[1]), Number(found[2] ?? found[1])]
    if (to < from || to >= count) return null
    for (let vertex = from; vertex <= to; vertex++) vertices.add(vertex)
  }
  return vertices
}
