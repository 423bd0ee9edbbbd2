/** Completes an interval of an event-driven run with too many events by time-stepping. */

import type { UnfinishedRun } from '../finishing'
import { openGaps } from '../separate'
import type { StepContext } from './context'
import { Leapfrog } from './leapfrog'
import { LocalScales } from './local-scales'
import { StepRunner } from './run-steps'
import type { TimeSteppingSettings } from './settings'
import { GAP_TARGET } from './tolerances'

/** Share of the gap up to which features touch. */
const TOUCHING = 0.25

/** Share of the steps' gap target up to which gaps are opened at their start. */
const OPEN = 0.5

/** Advances the run's state to `until`, or until cancelled. Contacts are discarded, so a restart must follow. @throws StopError */
export function finishByStepping(context: UnfinishedRun, settings: TimeSteppingSettings, until: number): void {
  const { world, environment, equations, contacts, drives, jointSpins, counts, state, warnings } = context
  equations.islands = []
  equations.jointLoads.saturated = []
  const stepping: StepContext = {
    // Contacts at the end must be within the tolerance of the continued run.
    gap: Math.min(GAP_TARGET, TOUCHING * context.tolerances.gap),
    world, settings: { ...settings, sleep: false, tolerance: null, linearizations: null },
    environment, equations, contacts, drives, jointSpins, counts, state, warnings,
    time: context.time, step: settings.step,
    impactWork: context.impactWork, kinematicImpactWork: context.kinematicImpactWork, spawnedEnergy: context.spawnedEnergy,
    numericalWork: context.numericalWork, solves: new Map(),
    scales: new LocalScales(world), leapfrog: new Leapfrog(world.bodies.length),
    // Events are frequent here, and forces change too fast to be extrapolated.
    smooth: false,
  }
  // Where bodies are wedged with friction, no impulse opens a gap again: rounding errors of the steps need room from the start.
  equations.snapshot.update(state)
  openGaps(stepping, OPEN * stepping.gap, stepping.gap)
  new StepRunner(stepping).to(until)
  context.time = stepping.time
  context.impactWork = stepping.impactWork
  context.kinematicImpactWork = stepping.kinematicImpactWork
  context.numericalWork = stepping.numericalWork
  context.points = []
  context.limits = []
}
