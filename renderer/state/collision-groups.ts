/** Collision groups as shown to users: numbered from 1, with the bodies in each. */

import { ALL_GROUPS, mayTouch, type Body, type Scene } from '../../core/scene'
import { bodiesOf, jointsOf, titleOf } from './scene-access'

const MAX_GROUPS = 32
/** Groups shown if none is used. */
const FEW = 4

export const bitOf = (group: number): number => (1 << (group - 1)) >>> 0
/** Bits of this group and all later ones. */
export const fromGroup = (group: number): number => group > MAX_GROUPS ? 0 : (ALL_GROUPS << (group - 1)) >>> 0

/** Number of groups to choose from: those in use, and one more. */
export function groupCount(scene: Scene): number {
  const used = bodiesOf(scene).reduce((bits, { collision }) => (bits | (collision?.groups ?? 1)) >>> 0, 0)
  return Math.min(MAX_GROUPS, Math.max(FEW, 33 - Math.clz32(used)))
}

/** Members of a group, for a tooltip. */
export function membersText(scene: Scene, group: number): string {
  const members = bodiesOf(scene).filter(({ collision }) => ((collision?.groups ?? 1) & bitOf(group)) !== 0).map(titleOf)
  return members.length === 0 ? `Group ${group}: nothing yet` : `Group ${group}: ${listed(members)}`
}

/** A sentence on what a body collides with. */
export function touchedText(scene: Scene, body: Body): string {
  const others = bodiesOf(scene).filter(other => other.id !== body.id && (other.shapes?.length ?? 0) > 0)
  const apart = new Set(jointsOf(scene).flatMap(joint => joint.type !== 'gear' && joint.collide !== true && (joint.bodyA === body.id || joint.bodyB === body.id) ? [joint.bodyA, joint.bodyB] : []))
  const touched = others.filter(other => mayTouch(body, other) && !apart.has(other.id))
  if (others.length === 0) return 'There is nothing else to touch.'
  if (touched.length === others.length) return 'It touches all other bodies.'
  return touched.length === 0 ? 'It touches nothing.' : `It touches ${touched.length} of ${others.length} bodies: ${listed(touched.map(titleOf))}.`
}

const NAMED = 5

function listed(names: readonly string[]): string {
  return names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`
}
