/** Recorded data of one deformable in a frame, and its supports. */

import type { OtherPlace, ResolvedDeformable, ResolvedVertexCondition } from '../scene'
import type { DeformableFrame, TrajectoryHeader } from '../trajectory/frame'

/** Offsets and lengths of one deformable's columns within those of all. */
export interface DeformablePlace {
  readonly index: number
  readonly particle: number
  readonly particles: number
  readonly element: number
  readonly elements: number
  readonly hold: number
  readonly holds: number
}

export interface DeformableState {
  /** J */
  readonly kinetic: number
  readonly stretching: number
  readonly bending: number
  /** Signed strain with the largest magnitude; null without strains. */
  readonly worstStrain: number | null
  /** Mean magnitude of strain over elements with equal weights. */
  readonly meanStrain: number | null
  /** N, signed tension with the largest magnitude; null without tensions. */
  readonly largestTension: number | null
  /** N, 3 per hold, in the order of `holdsOf`. */
  readonly reactions: Float64Array
}

type Counts = Pick<TrajectoryHeader, 'deformableIds' | 'deformableParticles' | 'deformableElements' | 'deformableHeld'>

export function deformablePlaces({ deformableIds, deformableParticles, deformableElements, deformableHeld }: Counts): DeformablePlace[] {
  let [particle, element, hold] = [0, 0, 0]
  return deformableIds.map((_, index) => {
    const [particles, elements, holds] = [deformableParticles[index]!, deformableElements[index]!, deformableHeld[index]!]
    const place = { index, particle, particles, element, elements, hold, holds }
    particle += particles
    element += elements
    hold += holds
    return place
  })
}

export function deformableState({ energy, strain, tension, reaction }: DeformableFrame, place: DeformablePlace): DeformableState {
  const [from, to] = [place.element, place.element + place.elements]
  const { largest: worstStrain, mean: meanStrain } = extremes(strain, from, to)
  return {
    kinetic: energy[3 * place.index]!, stretching: energy[3 * place.index + 1]!, bending: energy[3 * place.index + 2]!,
    worstStrain, meanStrain, largestTension: extremes(tension, from, to).largest,
    reactions: reaction.slice(3 * place.hold, 3 * (place.hold + place.holds)),
  }
}

/** The number of the largest magnitude, and the mean of magnitudes; NaN is ignored. */
function extremes(values: Float64Array, from: number, to: number): { largest: number | null; mean: number | null } {
  let [count, sum] = [0, 0]
  let largest: number | null = null
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    count++
    sum += Math.abs(value)
    if (largest === null || Math.abs(value) > Math.abs(largest)) largest = value
  }
  return { largest, mean: count === 0 ? null : sum / count }
}

/** Supports of a deformable: `vertices` held by a body or the world (null), sewn together, on a path, or of an element of a constraint. */
export interface Hold {
  readonly kind: 'pin' | 'root' | 'attachment' | 'seam' | 'controlled' | 'constraint'
  readonly vertices: readonly number[]
  /** Of a constraint: the other places of its element. */
  readonly others?: readonly OtherPlace[]
  readonly body: string | null
}

/** In the order in which reactions are recorded: pins, the first two vertices of each strand of hair, attachments, seams, controlled vertices, constraints. */
export function holdsOf(deformable: ResolvedDeformable): Hold[] {
  let first = 0
  const roots = deformable.type !== 'hair' ? [] : deformable.strands.flatMap(({ body, points }): Hold[] => {
    const root = first
    first += points.length
    return [root, root + 1].map(vertex => ({ kind: 'root', vertices: [vertex], body }))
  })
  return [
    ...deformable.pins.map((vertex): Hold => ({ kind: 'pin', vertices: [vertex], body: null })),
    ...roots,
    ...deformable.attachments.map(({ vertex, triangle, body }): Hold => ({
      kind: 'attachment', body, vertices: vertex === undefined ? deformable.type === 'cloth' ? deformable.triangles[triangle!]! : [] : [vertex],
    })),
    ...deformable.type === 'cloth' ? deformable.seams.map((seam): Hold => ({ kind: 'seam', vertices: seam, body: null })) : [],
    ...deformable.controlled.flatMap(({ vertices }) => vertices.map((vertex): Hold => ({ kind: 'controlled', vertices: [vertex], body: null }))),
    ...deformable.constraints.flatMap(({ condition }) => elementsOf(condition).map((element): Hold => ({ kind: 'constraint', ...element, body: null }))),
  ]
}

type Element = Pick<Hold, 'vertices' | 'others'>

/** The places of each element of a condition: lines, planes and curves hold each of theirs. */
function elementsOf(condition: ResolvedVertexCondition): Element[] {
  switch (condition.type) {
    case 'point': return [{ vertices: [condition.vertex] }]
    case 'line':
    case 'plane':
    case 'curve': return [
      ...condition.vertices.map((vertex): Element => ({ vertices: [vertex] })),
      ...condition.others.map((other): Element => ({ vertices: [], others: [other] })),
    ]
    default: return [{ vertices: condition.vertices, others: condition.others }]
  }
}
