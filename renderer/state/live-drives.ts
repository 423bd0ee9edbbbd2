/** What drives the joints of a session, as sliders. */

import { actingOn, freedomsOf, type Scene } from '../../core/scene'
import { DRIVEN, type Driven } from '../../main/protocol/live'
import { jointsOf, titleOf } from './scene-access'

export interface DriveSlider {
  readonly key: string
  readonly joint: string
  readonly coordinate: number
  readonly driven: Driven
  /** As a person calls it: the joint and what is changed. */
  readonly label: string
  readonly unit: string
  readonly value: number
  readonly min: number
  readonly max: number
}

const WORDS: Readonly<Record<Driven, string>> = { motor: 'velocity', servo: 'target', drive: 'force' }
/** × what the scene says, on either side: as far as a slider goes. */
const FARTHER = 3
/** The least that it goes, by its unit: one turn, a metre, ten of all others. */
const LEAST: Readonly<Record<string, number>> = { rad: Math.PI, m: 1 }

/** Those that the scene does not lead by keys already. @param said what the person has set so far, by key */
export function driveSliders(scene: Scene, said: ReadonlyMap<string, number>): DriveSlider[] {
  return jointsOf(scene).flatMap(joint => freedomsOf(joint).flatMap((freedom, coordinate) => DRIVEN.flatMap((driven): DriveSlider[] => {
    const acting = actingOn(joint, freedom)
    const key = `${joint.id}/${coordinate}/${driven}`
    const part = acting[driven]
    if (!part || (part.keys && !said.has(key))) return []
    const own = 'stiffness' in part ? part.target ?? 0 : 'maxForce' in part ? part.targetVelocity ?? 0 : 'force' in part ? part.force ?? 0 : 0
    const { unit: base } = freedom
    const unit = driven === 'motor' ? `${base}/s` : driven === 'servo' ? base : base === 'rad' ? 'N m' : 'N'
    const reach = Math.max(FARTHER * Math.abs(own), LEAST[unit] ?? 10)
    const { lower = -reach, upper = reach } = driven === 'servo' ? acting.limits ?? {} : {}
    const word = driven === 'drive' && base === 'rad' ? 'torque' : WORDS[driven]
    return [{ key, joint: joint.id, coordinate, driven, label: `${titleOf(joint)}: ${word}`, unit, value: said.get(key) ?? own, min: lower, max: upper }]
  })))
}
