/** Which method runs a scene, with what settings. */

import type { World } from '../contact/world'
import { integratorByName } from '../dynamics/integrators'
import { dantzig, solverByName } from '../lcp'
import { runEventDriven } from '../methods/event-driven'
import type { MethodEnd, MethodEnvironment } from '../methods/method'
import { runPenalty } from '../methods/penalty'
import { runTimeStepping } from '../methods/time-stepping'
import { contactModel } from '../methods/time-stepping/contact-models'
import type { ResolvedScene } from '../scene'

/** s. Longer steps would gain nothing: there are frames to write, and events are looked for at quarters of a step. */
const LONGEST_STEP = 0.1

/** A method with its settings, ready to run. */
export interface ChosenMethod {
  readonly name: string
  readonly solver: string
  run(environment: MethodEnvironment): MethodEnd
}

export function methodOf(scene: ResolvedScene, world: World): ChosenMethod {
  const { simulation } = scene
  switch (simulation.method) {
    case 'time-stepping': return timeStepping(simulation, world)
    case 'penalty': return penalty(simulation, world)
    default: return eventDriven(simulation, world)
  }
}

function eventDriven(simulation: ResolvedScene['simulation'], world: World): ChosenMethod {
  const { eventDriven: options } = simulation
  // The check has seen to it that there is one of this name.
  const solver = solverByName(options.solver) ?? dantzig
  return {
    name: 'event-driven', solver: solver.name,
    run: environment => runEventDriven(world, {
      integrator: integratorByName(options.integrator, options.tolerance), solver,
      longestStep: options.integrator === 'dormand-prince' ? LONGEST_STEP : options.step,
      impact: options.impact, rootMethod: options.rootFinder === 'bisection' ? 'bisection' : 'prediction',
      restingSpeed: options.restingSpeed, contactTolerance: options.contactTolerance, maxEventsPerFrame: options.maxEventsPerFrame,
      branch: simulation.branch,
    }, simulation, environment),
  }
}

function timeStepping(simulation: ResolvedScene['simulation'], world: World): ChosenMethod {
  const { timeStepping: options } = simulation
  return {
    name: 'time-stepping', solver: options.solver,
    run: environment => runTimeStepping(world, {
      step: options.step, contactModel: contactModel(options.contactModel, options), solver: options.solver,
      frictionDirections: options.frictionCone === 'exact' ? 0 : options.frictionDirections, sleep: options.sleep,
      restingSpeed: simulation.eventDriven.restingSpeed, separate: simulation.initialOverlap === 'separate',
    }, simulation, environment),
  }
}

function penalty({ penalty: options, eventDriven: joints, ...run }: ResolvedScene['simulation'], world: World): ChosenMethod {
  const solver = solverByName(joints.solver) ?? dantzig
  return {
    name: 'penalty', solver: solver.name,
    run: environment => runPenalty(
      world, { ...options, solver, restingSpeed: joints.restingSpeed, maxEventsPerFrame: joints.maxEventsPerFrame }, run, environment),
  }
}
