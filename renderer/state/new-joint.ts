/** A joint that a command asks for, the one that the Joints panel is about to make, and a half-filled form for it. */

import { shallowRef } from 'vue'
import type { Joint, JointType } from '../../core/scene'

/** Null if none is asked for. */
export const wantedJoint = shallowRef<JointType | null>(null)
/** The joint as the form has it, drawn before it is created; null without a complete form. */
export const plannedJoint = shallowRef<Joint | null>(null)

/** Values of the form's fields, and the document that they are for. */
interface KeptForm {
  readonly generation: number
  readonly values: readonly unknown[]
}

/** The form that was open as another layout of the window, by its size or zoom, made the panel anew; null if none was. */
export const keptForm = shallowRef<KeptForm | null>(null)
