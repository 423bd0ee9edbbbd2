import { firstRamp } from './first-ramp'
import { forceIntervals } from './force-intervals'
import { frictionCone } from './friction-cone'
import { impacts } from './impacts'
import { jointsAndMotors } from './joints-and-motors'
import type { Lesson } from './lesson'
import { whyThisForce } from './why-this-force'

export type { Goal, Lesson, Step } from './lesson'
/** In teaching order: later lessons build on earlier ones. */
export const LESSONS: readonly Lesson[] = [firstRamp, frictionCone, whyThisForce, jointsAndMotors, impacts, forceIntervals]
