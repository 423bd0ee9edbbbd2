/**
 * The penalty method [Baraff92 ch. 7], for comparison: contacts are springs that only overlap makes push, integrated with small fixed steps. Joints,
 * motors and limits are those of the event-driven method, which finds no contacts here.
 */

import { COULOMB } from '../../contact/friction-law'
import type { World, WorldControl } from '../../contact/world'
import { rk4 } from '../../dynamics/integrators'
import type { ContactSolver } from '../../lcp/problem'
import { runEventDriven } from '../event-driven'
import type { MethodEnd, MethodEnvironment, MethodFrame, MethodSettings } from '../method'
import { PenaltyContacts } from './contacts'

export interface PenaltySettings {
  /** N/m, of each contact point. */
  readonly stiffness: number
  /** N s/m. */
  readonly damping: number
  /** s */
  readonly step: number
  /** Of joints with their limits and motors. */
  readonly solver: ContactSolver
  readonly restingSpeed: number
  readonly maxEventsPerFrame: number
}

/** Runs a world to its end. @throws StopError when the run cannot go on, ScriptError from a script */
export function runPenalty(world: World, settings: PenaltySettings, run: MethodSettings, environment: MethodEnvironment): MethodEnd {
  const contacts = new PenaltyContacts(world, settings)
  const source = world.forces.length
  const control: WorldControl | null = world.control === null ? null : {
    instants: (from, to) => world.control!.instants(from, to),
    act: (time, frame) => world.control!.act(time, () => {
      const seen = frame()
      return { ...seen, contacts: contacts.solved(seen.snapshot) }
    }),
  }
  const pushed: World = { ...world, control, forces: [...world.forces, contacts], mayCollide: () => false }
  const { observer } = environment
  return runEventDriven(pushed, {
    integrator: rk4, longestStep: settings.step, solver: settings.solver, friction: COULOMB, impact: 'simultaneous', rootMethod: 'prediction',
    restingSpeed: settings.restingSpeed, contactTolerance: Number.MIN_VALUE, maxEventsPerFrame: settings.maxEventsPerFrame,
    feedback: null, branch: [], finishing: null, separate: false,
  }, run, {
    ...environment, observer: {
      event: event => { observer.event(event) },
      frame: frame => { observer.frame(withContacts(frame, contacts, source)) },
    },
  })
}

/** The frame with what the springs do as contacts, not as a force of the scene. */
function withContacts(frame: MethodFrame, contacts: PenaltyContacts, source: number): MethodFrame {
  const solved = contacts.solved(frame.snapshot)
  return {
    ...frame, contacts: solved, applied: frame.applied.filter(({ kind, source: from }) => kind !== 'force' || from !== source),
    maxPenetration: solved.reduce((deepest, { gap }) => Math.max(deepest, -gap), 0),
  }
}
