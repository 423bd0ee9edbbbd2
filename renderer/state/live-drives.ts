/** Sliders for the joint drives of a live session. */

import { actingOn, freedomsOf, type Scene } from '../../core/scene'
import { DRIVEN, type Driven } from '../../main/protocol/live'
import { jointsOf, titleOf } from './scene-access'

export interface DriveSlider {
  readonly key: string
  readonly joint: string
  readonly coordinate: number
  readonly driven: Driven
  /** Label for users: the joint and the driven quantity. */
  readonly label: string
  readonly unit: string
  readonly value: number
  readonly min: number
  readonly max: number
}

const WORDS: Readonly<Record<Driven, string>> = { motor: 'velocity', servo: 'target', drive: 'force' }
/** Range of a slider on either side, × the scene's value. */
const FARTHER = 3
/** Minimum range by unit: half a turn each way, a metre; ten for all others. */
const MIN_RANGE: Readonly<Record<string, number>> = { rad: Math.PI, m: 1 }

/** Drives that the scene does not already control by keys. @param said values set by the user so far, by key */
export function driveSliders(scene: Scene, said: ReadonlyMap<string, number>): DriveSlider[] {
  return jointsOf(scene).flatMap(joint => freedomsOf(joint).flatMap((freedom, coordinate) => DRIVEN.flatMap((driven): DriveSlider[] => {
    const acting = actingOn(joint, freedom)
    const key = `${joint.id}/${coordinate}/${driven}`
    const part = acting[driven]
    if (!part || (part.keys && !said.has(key))) return []
    const own = 'stiffness' in part ? part.target ?? 0 : 'maxForce' in part ? part.targetVelocity ?? 0 : 'force' in part ? part.force ?? 0 : 0
    const { unit: base } = freedom
    const unit = driven === 'motor' ? `${base}/s` : driven === 'servo' ? base : base === 'rad' ? 'N m' : 'N'
    const reach = Math.max(FARTHER * Math.abs(own), MIN_RANGE[unit] ?? 10)
    const { lower = -reach, upper = reach } = driven === 'servo' ? acting.limits ?? {} : {}
    const word = driven === 'drive' && base === 'rad' ? 'torque' : WORDS[driven]
    return [{ key, joint: joint.id, coordinate, driven, label: `${titleOf(joint)}: ${word}`, unit, value: said.get(key) ?? own, min: lower, max: upper }]
  })))
}
