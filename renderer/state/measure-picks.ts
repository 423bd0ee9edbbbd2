/** What measurements are taken between: features of bodies, points, vertices of deformables, contacts and anchors of joints. */

import type { Feature } from '../../core/analysis/features'
import type { Vec3 } from '../../core/math/vector'
import type { ContactKey } from '../../main/protocol/runs'
import { sameContact } from './selection'

/**
 * A feature of a body, by its index in `featuresOf` the shape; a point in the body's frame; the whole body; a vertex of a deformable, by its number;
 * a contact of the displayed time, under its body A; or the anchor of a joint, where `body` is the joint's id.
 */
export type Pick =
  | { readonly kind: 'feature'; readonly body: string; readonly shape: number; readonly index: number }
  | { readonly kind: 'point'; readonly body: string; readonly local: Vec3 }
  | { readonly kind: 'body'; readonly body: string }
  | { readonly kind: 'particle'; readonly body: string; readonly index: number }
  | { readonly kind: 'contact'; readonly body: string; readonly key: ContactKey }
  | { readonly kind: 'anchor'; readonly body: string }

/** What a click picks. `any`: the vertex or edge near the pointer, else the face, or the axis of a curved surface. */
export const PICKED = { any: 'Anything', vertex: 'Vertex', edge: 'Edge', face: 'Face', round: 'Circle or axis', point: 'Point', body: 'Body' } as const
export type Picked = keyof typeof PICKED
/** Kinds of picks that include vertices of deformables, and those that include contacts and anchors. */
export const PARTICLES: ReadonlySet<Picked> = new Set<Picked>(['any', 'vertex', 'point'])
export const MARKS: ReadonlySet<Picked> = new Set<Picked>(['any', 'point'])
/** Kinds of picks that are points, for an angle. */
export const POINTED: ReadonlySet<Picked> = new Set<Picked>(['point', 'vertex', 'round'])

const KINDS: Readonly<Record<Exclude<Picked, 'any' | 'point' | 'body'>, readonly Feature['kind'][]>> = {
  vertex: ['vertex'], edge: ['edge'], face: ['face', 'disc', 'plane'], round: ['circle', 'axis', 'sphere'],
}
export const isWanted = (kind: Feature['kind'], picked: Picked): boolean => picked === 'any' || (picked !== 'point' && picked !== 'body' && KINDS[picked].includes(kind))

export function samePick(a: Pick | null, b: Pick | null): boolean {
  if (a === null || b === null || a.body !== b.body) return a === b
  if (a.kind === 'feature' && b.kind === 'feature') return a.shape === b.shape && a.index === b.index
  if (a.kind === 'particle' && b.kind === 'particle') return a.index === b.index
  if (a.kind === 'contact' && b.kind === 'contact') return sameContact(a.key, b.key)
  return a.kind === b.kind && (a.kind !== 'point' || b.kind !== 'point' || a.local.every((x, k) => x === b.local[k]))
}
