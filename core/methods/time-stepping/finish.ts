/** An interval of an event-driven run that has too many events, finished by time-stepping. */

import type { RunContext } from '../event-driven/context'
import type { StepContext } from './context'
import { StepRunner } from './run-steps'
import type { TimeSteppingSettings } from './settings'

/** Takes the run's state to `until`, or to where it was cancelled; contacts are forgotten, so that a restart has to follow. @throws StopError */
export function finishByStepping(context: RunContext, settings: TimeSteppingSettings, until: number): void {
  const { world, environment, equations, contacts, drives, jointSpins, counts, state, warnings } = context
  equations.islands = []
  equations.saturated = []
  const stepping: StepContext = {
    world, settings: { ...settings, sleep: false }, environment, equations, contacts, drives, jointSpins, counts, state, warnings, time: context.time,
    impactWork: context.impactWork, kinematicImpactWork: context.kinematicImpactWork, spawnedEnergy: context.spawnedEnergy, solves: new Map(),
  }
  new StepRunner(stepping).to(until)
  context.time = stepping.time
  context.impactWork = stepping.impactWork
  context.kinematicImpactWork = stepping.kinematicImpactWork
  context.points = []
  context.limits = []
}
