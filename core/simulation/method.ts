/** Selects the method of a scene, and its settings. */

import { COULOMB, frictionLaw } from '../contact/friction-law'
import type { World } from '../contact/world'
import { integratorByName } from '../dynamics/integrators'
import { dantzig, solverByName } from '../lcp'
import { runEventDriven } from '../methods/event-driven'
import type { MethodEnd, MethodEnvironment } from '../methods/method'
import { runPenalty } from '../methods/penalty'
import { runTimeStepping, type TimeSteppingSettings } from '../methods/time-stepping'
import { contactModel } from '../methods/time-stepping/contact-models'
import { finishByStepping } from '../methods/time-stepping/finish'
import type { ResolvedScene } from '../scene'

/** s. Longer steps would gain nothing: frames have to be written, and the event search samples quarters of a step. */
const MAX_STEP = 0.1
/**
 * Largest number of dynamic bodies with possible contacts for which `auto` is event-driven. In the measurements of docs/performance.md both methods
 * cost the same for about thirty bodies that rest or slide, and for two that fall, tumble and bounce. Eight is a compromise. Resting or sliding
 * bodies are solved exactly at a lower cost than by time-stepping; a heap of four costs four times as much, and one of eight more than twelve times
 * as much.
 */
export const FEW_BODIES = 8

/** A method with its settings, ready to run. */
export interface ChosenMethod {
  readonly name: string
  readonly solver: string
  /** Law of static friction between impacts; `exact` is Coulomb's. */
  readonly staticFriction: string
  run(environment: MethodEnvironment): MethodEnd
}

/**
 * The method for the scene. `auto` selects the event-driven method, which is exact, for up to `FEW_BODIES` dynamic bodies with possible contacts. It
 * selects time-stepping for more bodies, whose events are too frequent, for scenes that separate overlaps (overlapping bodies form a heap), and for
 * deformables.
 */
export function methodName({ bodies, deformables, simulation }: ResolvedScene): Exclude<ResolvedScene['simulation']['method'], 'auto'> {
  const { method, initialOverlap, coordinates } = simulation
  if (method !== 'auto') return method
  if (deformables.length > 0) return 'time-stepping'
  if (coordinates === 'reduced') return 'event-driven'
  const few = bodies.filter(body => body.type === 'dynamic' && body.shapes.length > 0).length <= FEW_BODIES
  return few && initialOverlap === 'refuse' ? 'event-driven' : 'time-stepping'
}

export function methodOf(scene: ResolvedScene, world: World): ChosenMethod {
  const { simulation } = scene
  switch (methodName(scene)) {
    case 'time-stepping': return timeStepping(simulation, world)
    case 'penalty': return penalty(simulation, world)
    case 'event-driven': return eventDriven(simulation, world)
  }
}

function eventDriven(simulation: ResolvedScene['simulation'], world: World): ChosenMethod {
  const { eventDriven: options } = simulation
  // The check guarantees a solver of this name.
  const solver = solverByName(options.solver) ?? dantzig
  return {
    name: 'event-driven', solver: solver.name, staticFriction: options.staticFriction,
    run: environment => runEventDriven(world, {
      integrator: () => integratorByName(options.integrator, options.tolerance), solver, friction: frictionLaw(options.staticFriction, options.crawlSpeed),
      longestStep: options.integrator === 'dormand-prince' ? MAX_STEP : options.step,
      impact: options.impact, rootMethod: options.rootFinder === 'bisection' ? 'bisection' : 'prediction',
      feedback: options.jointFeedback ?? null, flatSpots: options.flatSpots ?? 'impulse', restingSpeed: options.restingSpeed,
      contactTolerance: options.contactTolerance, maxEventsPerFrame: options.maxEventsPerFrame,
      branch: simulation.branch, finishing: (unfinished, until) => finishByStepping(unfinished, steppingOf(simulation), until),
      separate: simulation.initialOverlap === 'separate',
    }, simulation, environment),
  }
}

function timeStepping(simulation: ResolvedScene['simulation'], world: World): ChosenMethod {
  return {
    name: 'time-stepping', solver: simulation.timeStepping.solver, staticFriction: COULOMB.name,
    run: environment => runTimeStepping(world, steppingOf(simulation), simulation, environment),
  }
}

function steppingOf({ timeStepping: options, eventDriven: { restingSpeed, impact }, initialOverlap }: ResolvedScene['simulation']): TimeSteppingSettings {
  return {
    step: options.step, tolerance: options.tolerance ?? null, linearizations: options.linearizations ?? null,
    contactModel: contactModel(options.contactModel, options), solver: options.solver,
    frictionDirections: options.frictionCone === 'exact' ? 0 : options.frictionDirections, sleep: options.sleep, restingSpeed, impact,
    implicitMethod: options.implicitMethod ?? 'euler',
    separate: initialOverlap === 'separate',
  }
}

function penalty({ penalty: options, eventDriven: joints, ...run }: ResolvedScene['simulation'], world: World): ChosenMethod {
  const solver = solverByName(joints.solver) ?? dantzig
  const settings = { ...options, joints: options.joints ?? null, solver, restingSpeed: joints.restingSpeed, maxEventsPerFrame: joints.maxEventsPerFrame }
  return {
    name: 'penalty', solver: solver.name, staticFriction: COULOMB.name,
    run: environment => runPenalty(world, settings, run, environment),
  }
}
