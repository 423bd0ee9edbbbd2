/** A joint that a command asks for, and the one that the Joints panel is about to make. */

import { shallowRef } from 'vue'
import type { Joint, JointType } from '../../core/scene'

/** Null if none is asked for. */
export const wantedJoint = shallowRef<JointType | null>(null)
/** The joint as the form has it, drawn before it is created; null without a complete form. */
export const plannedJoint = shallowRef<Joint | null>(null)
