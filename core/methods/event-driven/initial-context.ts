/** The shared data of the event-driven method at the start of a run or of its continuation. */

import { ContactSet } from '../../contact/contact-set'
import { allDrives, allJointSpins } from '../../contact/drives'
import type { EquationsOfMotion } from '../../contact/equations'
import { absoluteTolerances } from '../../contact/tolerances'
import { initialState } from '../../dynamics/state-layout'
import { noCounts, type MethodEnvironment } from '../method'
import type { RunContext } from './context'
import type { EventDrivenSettings } from './settings'

export function initialContext(
  settings: EventDrivenSettings, environment: MethodEnvironment, equations: EquationsOfMotion, events: RunContext['events'],
): RunContext {
  const { world } = equations
  const { start } = environment
  const time = start?.time ?? 0
  return {
    world, settings, environment, equations, tolerances: absoluteTolerances(world.scales, settings.contactTolerance, settings.friction),
    contacts: new ContactSet(world), time, state: start?.state.slice() ?? initialState(equations.layout), points: [], limits: [],
    drives: allDrives(world, time, false), jointSpins: allJointSpins(world), concerned: null, impactWork: start?.impactWork ?? 0,
    kinematicImpactWork: start?.kinematicImpactWork ?? 0, spawnedEnergy: start?.spawnedEnergy ?? 0, numericalWork: start?.numericalWork ?? 0,
    warnings: [...start?.warnings ?? []],
    pastForcesTime: time, knownSets: new Map(), slidingSets: new Map(), nextSlidingSets: new Map(), events, counts: { ...start?.counts ?? noCounts() },
  }
}
