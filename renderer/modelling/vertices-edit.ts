/** Edits of a deformable's vertices. Lists that end up empty go, so that a scene in which all was taken back reads as before. */

import { distance, type Vec3 } from '../../core/math/vector'
import { deformableShape } from '../../core/analysis/deformable-shape'
import { resolveDeformable, type Deformable } from '../../core/scene'

type Vertices = ReadonlySet<number>
type Seam = readonly [number, number]

/** Nails vertices to the world where they are; what held them before lets go. */
export function pinVertices(draft: Deformable, vertices: Vertices): void {
  releaseVertices(draft, vertices)
  draft.pins = [...draft.pins ?? [], ...vertices].sort((a, b) => a - b)
}

/** Fixes vertices to a body, each where it is at the start; what held them before lets go. */
export function attachVertices(draft: Deformable, vertices: Vertices, body: string): void {
  releaseVertices(draft, vertices)
  draft.attachments = [...draft.attachments ?? [], ...[...vertices].sort((a, b) => a - b).map(vertex => ({ vertex, body }))]
}

/** Takes away pins and attachments of vertices; attachments of triangles stay. */
export function releaseVertices(draft: Deformable, vertices: Vertices): void {
  const pins = (draft.pins ?? []).filter(vertex => !vertices.has(vertex))
  const attachments = (draft.attachments ?? []).filter(({ vertex }) => vertex === undefined || !vertices.has(vertex))
  if (pins.length === 0) delete draft.pins
  else draft.pins = pins
  if (attachments.length === 0) delete draft.attachments
  else draft.attachments = attachments
}

/** m: as near as vertices of a seam have to be. */
const SEWN = 1e-9

/**
 * Which of some vertices a seam would join: those in the same place, each with the first one there. Two that lie apart are given as well, for the document's
 * check to say what is wrong with them.
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

/** Takes away seams at any of the vertices. */
export function unpick(draft: Deformable, vertices: Vertices): void {
  if (draft.type !== 'cloth') return
  const seams = (draft.seams ?? []).filter(([a, b]) => !vertices.has(a) && !vertices.has(b))
  if (seams.length === 0) delete draft.seams
  else draft.seams = seams
}

/** @param mass kg, of each */
export function weighVertices(draft: Deformable, vertices: Vertices, mass: number): void {
  if (draft.type !== 'particles') return
  draft.particles = draft.particles.map((particle, vertex) => vertices.has(vertex) ? { ...particle, mass } : particle)
}

/** Numbers with ranges, as people write them: `0, 8–12`. */
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

/** @returns null for what is no list of numbers below `count` */
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
