/** Which fields of a joint can be picked on the bodies in the picture, and what a pick means for a joint that is defined at other poses. */

import type { Pose } from '../../core/math/pose'
import type { Vec3 } from '../../core/math/vector'
import type { Joint } from '../../core/scene'
import { carryDirection, carryPoint } from './carrier'

/** `side` is the body that the value moves with; null: both, at the poses for which the joint is defined. */
export interface PickedField {
  readonly what: 'point' | 'direction'
  readonly side: 'A' | 'B' | null
}

const FIELDS: Readonly<Record<string, PickedField>> = {
  anchor: { what: 'point', side: null },
  anchorB: { what: 'point', side: 'B' },
  axis: { what: 'direction', side: null },
  axisA: { what: 'direction', side: 'A' },
  axisB: { what: 'direction', side: 'B' },
  normal: { what: 'direction', side: 'B' },
  'curve.point': { what: 'point', side: 'B' },
  'curve.direction': { what: 'direction', side: 'B' },
  'curve.center': { what: 'point', side: 'B' },
  'curve.normal': { what: 'direction', side: 'B' },
  'curve.axis': { what: 'direction', side: 'B' },
}

/** @param path of a field in the document, such as `joints[2].anchor` */
export function pickedField(path: string): { readonly joint: number; readonly field: PickedField } | null {
  const [, joint, key] = /^joints\[(\d+)\]\.(.+)$/.exec(path) ?? []
  const field = key === undefined ? undefined : FIELDS[key]
  return field ? { joint: Number(joint), field } : null
}

interface Pick {
  readonly body: string
  /** World, with the bodies at their initial poses. */
  readonly value: Vec3
}

/**
 * The value for a joint: as picked, unless the joint is defined at other poses than the initial ones. Then it moves with its body to that pose.
 * @param initial pose of a body at the start
 */
export function valueOfPick(joint: Exclude<Joint, { type: 'gear' }>, { what, side }: PickedField, { body, value }: Pick, initial: (body: string) => Pose): Vec3 {
  const onB = side === null ? joint.bodyA === null || body === joint.bodyB : side === 'B'
  const [id, given] = onB ? [joint.bodyB, joint.poseB] : [joint.bodyA, joint.poseA]
  if (id === null || given === undefined) return value
  const carrier = { body: 0, initial: initial(id), now: { position: given.position, orientation: given.orientation ?? [0, 0, 0, 1] } as Pose }
  return (what === 'point' ? carryPoint : carryDirection)(carrier, value)
}
