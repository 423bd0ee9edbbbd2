import type { ReportedImpact } from './reported-impact'

/** Works of contacts in a step taken in substeps. */
export interface RecordedWorks {
  /** J: of normal impulses, of friction, on bodies with prescribed motion, and of the method of integration. */
  readonly normal: number
  readonly friction: number
  readonly kinematic: number
  readonly numerical: number
  /** Impacts of the step, dated at `time`, s, its end. */
  impacts(time: number): ReportedImpact[]
}
