/** A joint that a command asks for: the Joints panel makes it. */

import { shallowRef } from 'vue'
import type { JointType } from '../../core/scene'

/** Null if none is asked for. */
export const wantedJoint = shallowRef<JointType | null>(null)
