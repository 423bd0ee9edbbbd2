/** Contacts of one frame as rows for tables, the contact inspector and the viewport. */

import { INDEX_SETS, type ContactFrame, type TrajectoryHeader } from '../../core/trajectory/frame'
import { CONSTRAINT_KINDS, CONTACT_MODES, FEATURE_KINDS, type ConstraintKind, type ContactMode } from '../../core/vocabulary'
import { ownerId, ownerIndex } from '../../core/trajectory/owner'
import { spinUsage } from '../../core/analysis/spin-usage'
import type { ContactKey } from '../../main/protocol/runs'
import { sameContact } from './selection'
import type { Vec3 } from '../../core/math/vector'

export interface ContactRow {
  /** Column of the frame. */
  readonly index: number
  readonly key: ContactKey
  /** m, m/s, N: world frame; forces on body A. */
  readonly point: Vec3
  readonly normal: Vec3
  readonly gap: number
  readonly normalForce: number
  readonly friction: Vec3
  readonly frictionForce: number
  readonly frictionTorque: Vec3
  readonly force: Vec3
  readonly staticFriction: number
  readonly dynamicFriction: number
  readonly coneUsage: number
  readonly mode: ContactMode
  readonly relativeVelocity: Vec3
  /** Tangential, m/s. */
  readonly slipSpeed: number
  readonly interval: readonly [number, number]
  readonly indexSet: string
  readonly island: number
  readonly normalAcceleration: number
  /** m/s²; NaN if not computed. */
  readonly tangentialAcceleration: Vec3
  /** m, and the torques as shares of their limits. */
  readonly torsionalFriction: number
  readonly rollingFriction: number
  readonly torsionUsage: number
  readonly rollingUsage: number
  readonly constraint: ConstraintKind
}

const CONSTRAINT_WORDS: Readonly<Record<ConstraintKind, string>> = {
  none: '–', unilateral: 'U (unilateral)', inter: 'I (inter)', cross: 'X (cross)',
}

/** Name of a constraint in the contact inspector. */
export const constraintWord = (kind: ConstraintKind): string => CONSTRAINT_WORDS[kind]

/** The touching features, as "vertex–face". */
export const featurePair = ({ features }: ContactKey): string => features.map(name => name.split(' ')[0]).join('–')

export const featureName = (kind: number, index: number): string => `${FEATURE_KINDS[kind] ?? 'feature'} ${index}`

export function contactKey(frame: ContactFrame, i: number, header: Pick<TrajectoryHeader, 'bodyIds' | 'deformableIds'>): ContactKey {
  return {
    bodyA: ownerId(header, frame.bodyA[i]!) ?? '', bodyB: ownerId(header, frame.bodyB[i]!) ?? '',
    shapeA: frame.shapeA[i]!, shapeB: frame.shapeB[i]!,
    features: [featureName(frame.featureKindA[i]!, frame.featureA[i]!), featureName(frame.featureKindB[i]!, frame.featureB[i]!)],
  }
}

const triple = (column: Float64Array, i: number): Vec3 => [column[3 * i]!, column[3 * i + 1]!, column[3 * i + 2]!]

export function contactRow(frame: ContactFrame, i: number, header: TrajectoryHeader): ContactRow {
  const normal = triple(frame.normal, i)
  const normalForce = frame.normalForce[i]!
  const friction = triple(frame.frictionForce, i)
  const v = triple(frame.relativeVelocity, i)
  const along = v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2]
  return {
    index: i, key: contactKey(frame, i, header), point: triple(frame.point, i), normal, gap: frame.gap[i]!, normalForce, friction,
    frictionForce: Math.hypot(...friction), frictionTorque: triple(frame.frictionTorque, i),
    force: [0, 1, 2].map(k => normal[k]! * normalForce + friction[k]!) as unknown as Vec3,
    staticFriction: frame.staticFriction[i]!, dynamicFriction: frame.dynamicFriction[i]!, coneUsage: frame.coneUsage[i]!,
    mode: CONTACT_MODES[frame.mode[i]!] ?? 'separating', relativeVelocity: v,
    slipSpeed: Math.hypot(v[0] - along * normal[0], v[1] - along * normal[1], v[2] - along * normal[2]),
    interval: [frame.interval[2 * i]!, frame.interval[2 * i + 1]!], indexSet: INDEX_SETS[frame.indexSet[i]!] ?? '',
    island: frame.island[i]!, normalAcceleration: frame.normalAcceleration[i]!, tangentialAcceleration: triple(frame.tangentialAcceleration, i),
    ...spinUsage(frame, i), torsionalFriction: frame.torsionalFriction[i]!, rollingFriction: frame.rollingFriction[i]!,
    constraint: CONSTRAINT_KINDS[frame.constraint[i]!] ?? 'none',
  }
}

/** Rows of the contacts of one element, or of those between two, in the frame's order. */
export function contactRowsOf(frame: ContactFrame | null, header: TrajectoryHeader | null, one: string, other?: string): readonly ContactRow[] {
  if (!frame || !header) return []
  const [a, b] = [ownerIndex(header, one), other === undefined ? -1 : ownerIndex(header, other)]
  const rows: ContactRow[] = []
  for (let i = 0; i < frame.count; i++) {
    const [p, q] = [frame.bodyA[i]!, frame.bodyB[i]!]
    if (other === undefined ? p === a || q === a : (p === a && q === b) || (p === b && q === a)) rows.push(contactRow(frame, i, header))
  }
  return rows
}

/** The row of one contact; null if the frame does not contain it. */
export function contactRowOf(frame: ContactFrame | null, header: TrajectoryHeader | null, key: ContactKey | null): ContactRow | null {
  return key && (contactRowsOf(frame, header, key.bodyA, key.bodyB).find(row => sameContact(row.key, key)) ?? null)
}
