/**
 * The penalty method [Baraff92 ch. 7], for comparison: contacts are springs that act in overlap only, integrated with small fixed steps. Joints are
 * springs too if selected. Otherwise joints, and always motors and limits, are handled as in the event-driven method, without contacts.
 */

import { COULOMB } from '../../contact/friction-law'
import type { World, WorldControl } from '../../contact/world'
import { rk4 } from '../../dynamics/integrators'
import type { ContactSolver } from '../../lcp/problem'
import { runEventDriven } from '../event-driven'
import type { MethodEnd, MethodEnvironment, MethodFrame, MethodSettings } from '../method'
import { PenaltyContacts } from './contacts'
import { PenaltyJoints, withoutEquations, type PenaltyJointLaw } from './joints'

export interface PenaltySettings {
  /** N/m, of each contact point. */
  readonly stiffness: number
  /** N s/m. */
  readonly damping: number
  /** s */
  readonly step: number
  /** null: joints are exact constraints. */
  readonly joints: PenaltyJointLaw | null
  /** Solver of joints with their limits and motors. */
  readonly solver: ContactSolver
  readonly restingSpeed: number
  readonly maxEventsPerFrame: number
}

/** Runs a world to its end. @throws StopError if the run cannot continue, ScriptError from a script */
export function runPenalty(world: World, settings: PenaltySettings, run: MethodSettings, environment: MethodEnvironment): MethodEnd {
  const contacts = new PenaltyContacts(world, settings)
  const joints = settings.joints === null ? null : new PenaltyJoints(world.joints.map(({ constraint }) => constraint), settings.joints)
  const springs: Springs = { contacts, joints, source: world.forces.length }
  const control: WorldControl | null = world.control === null ? null : {
    instants: (from, to) => world.control!.instants(from, to),
    act: (time, frame) => world.control!.act(time, () => {
      const seen = frame()
      return { ...seen, contacts: contacts.solved(seen.snapshot) }
    }),
  }
  const pushed: World = {
    ...world, control, forces: [...world.forces, contacts, ...joints === null ? [] : [joints]], mayCollide: () => false, mayEverCollide: () => false,
    joints: joints === null ? world.joints : world.joints.map(withoutEquations),
  }
  const { observer } = environment
  return runEventDriven(pushed, {
    integrator: rk4, longestStep: settings.step, solver: settings.solver, friction: COULOMB, impact: 'simultaneous', rootMethod: 'prediction',
    restingSpeed: settings.restingSpeed, contactTolerance: Number.MIN_VALUE, maxEventsPerFrame: settings.maxEventsPerFrame,
    feedback: null, flatSpots: 'time-stepping', branch: [], finishing: null, separate: false,
  }, run, {
    ...environment, observer: {
      event: event => { observer.event(event) },
      frame: frame => { observer.frame(withSprings(frame, springs)) },
    },
  })
}

interface Springs {
  readonly contacts: PenaltyContacts
  readonly joints: PenaltyJoints | null
  /** Index of the first spring among the forces of the world. */
  readonly source: number
}

/** The frame with the springs as contacts and joints, not as forces of the scene. */
function withSprings(frame: MethodFrame, { contacts, joints, source }: Springs): MethodFrame {
  const solved = contacts.solved(frame.snapshot)
  return {
    ...frame, contacts: solved, applied: frame.applied.filter(({ kind, source: from }) => kind !== 'force' || from < source),
    joints: joints === null ? frame.joints : frame.joints.map((joint, index) => joints.solved(joint, index, frame.snapshot)),
    maxPenetration: solved.reduce((deepest, { gap }) => Math.max(deepest, -gap), 0),
  }
}
