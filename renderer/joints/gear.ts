import type { Joint, JointOf } from '../../core/scene'
import type { JointDescription } from './description'

export const gear: JointDescription<JointOf<'gear'>> = { label: 'Gear', help: 'Keeps the positions of two hinges or sliders in a fixed ratio.', axis: '' }

/** Whether a gear can couple this joint. */
export const canGear = (joint: Joint): boolean => joint.type === 'hinge' || joint.type === 'slider'
