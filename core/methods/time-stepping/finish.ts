/** An interval of an event-driven run that has too many events, finished by time-stepping. */

import type { UnfinishedRun } from '../finishing'
import type { StepContext } from './context'
import { LocalScales } from './local-scales'
import { StepRunner } from './run-steps'
import { GAP_TARGET, type TimeSteppingSettings } from './settings'

/** Share of the gap up to which features touch. */
const TOUCHING = 0.25

/** Advances the run's state to `until`, or to where it was cancelled; contacts are discarded, so a restart has to follow. @throws StopError */
export function finishByStepping(context: UnfinishedRun, settings: TimeSteppingSettings, until: number): void {
  const { world, environment, equations, contacts, drives, jointSpins, counts, state, warnings } = context
  equations.islands = []
  equations.saturated = []
  const stepping: StepContext = {
    // Contacts at the end have to touch within the tolerance of the run that continues.
    gap: Math.min(GAP_TARGET, TOUCHING * context.tolerances.gap),
    world, settings: { ...settings, sleep: false, tolerance: null, linearizations: null },
    environment, equations, contacts, drives, jointSpins, counts, state, warnings,
    time: context.time,
    impactWork: context.impactWork, kinematicImpactWork: context.kinematicImpactWork, spawnedEnergy: context.spawnedEnergy, solves: new Map(),
    scales: new LocalScales(world),
  }
  new StepRunner(stepping).to(until)
  context.time = stepping.time
  context.impactWork = stepping.impactWork
  context.kinematicImpactWork = stepping.kinematicImpactWork
  context.points = []
  context.limits = []
}
