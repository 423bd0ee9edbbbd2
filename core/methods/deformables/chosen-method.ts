/** The implicit method that a scene chooses, with the records of its accepted steps: reactions, mean contact forces, and losses. */

import type { World } from '../../contact/world'
import {
  addConditionReactions, implicitEuler, trBdf2, type ImplicitMethod, type ParticleState, type ParticleSystem, type StageReport, type StageSettings,
} from '../../deformables'
import type { ContactMeans } from './contact-means'
import type { StageLosses } from './losses'
import { addReactions } from './reactions'
import type { StageBodies } from './stage-bodies'
import { StageWorks } from './stage-works'
import type { Touching } from './touching'

export interface ChosenMethod extends ImplicitMethod {
  step(state: ParticleState, t: number, h: number, reactions: Float64Array): StageReport
  /** Records an accepted step; states of particles only. @param reactions N on held particles: of the step */
  accept(before: ParticleState, after: ParticleState, t: number, h: number, reactions: Float64Array): void
  /** Forgets what the last step has recorded. */
  refuse(): void
}

/** What a step acts on and where it records. */
export interface Records {
  readonly world: World
  readonly touching: Touching
  readonly bodies: StageBodies
  readonly losses: StageLosses
  readonly pulls: Float64Array
  readonly holding: Float64Array
  readonly means: ContactMeans
  readonly other: Float64Array
  /** Number of particles. */
  readonly count: number
  /** s: length of the run's step. */
  step(): number
}

export function chosenMethod(name: 'euler' | 'tr-bdf2', system: ParticleSystem, settings: StageSettings, records: Records): ChosenMethod {
  return name === 'euler' ? euler(system, settings, records) : secondOrder(system, settings, records)
}

/** Adds the present forces of links. @param held, contact share in the means over the run's step of ties, rods and conditions, and of contacts */
function observe({ world, touching, bodies, pulls, holding, means }: Records, held: number, contact: number, state: ParticleState): void {
  addReactions(touching, bodies, held, contact, world, pulls)
  addConditionReactions(touching.conditions, held, holding)
  means.add(world, touching, contact, state)
}

function euler(system: ParticleSystem, settings: StageSettings, records: Records): ChosenMethod {
  const method = implicitEuler(system, settings)
  const { touching: { contacts, conditions }, bodies: { carriers }, losses } = records
  return {
    get error() { return method.error },
    step: (state, t, h, reactions) => method.step(state, t, h, reactions, contacts),
    accept(before, after, t, h, reactions) {
      const share = h / records.step()
      observe(records, share, share, after)
      losses.book(before, after, t, h, reactions, contacts.links, carriers, conditions)
    },
    refuse() { /* Records accepted steps only. */ },
  }
}

function secondOrder(system: ParticleSystem, settings: StageSettings, records: Records): ChosenMethod {
  const method = trBdf2(system, settings)
  const { world: { reactions: loads }, touching: { contacts, conditions }, bodies, bodies: { carriers }, losses, pulls, holding, means, other, count } = records
  const works = new StageWorks(count, system.masses.length)
  const accelerations = new Float64Array(3 * system.masses.length)
  let share = 1
  let undo = (): void => { /* No step yet. */ }
  const coupling = {
    contacts, carriers, accelerations,
    lead: (s: number) => { bodies.lead(s) },
    observe(held: number, contact: number, state: ParticleState) {
      observe(records, share * held, share * contact, state)
      works.add(contacts.links, carriers, conditions, held, contact)
    },
  }
  /** Stages record before the step is accepted. */
  const remember = (): () => void => {
    const kept = [pulls, holding, ...loads.map(({ wrenches }) => wrenches)].map(values => ({ values, before: values.slice() }))
    const restoreMeans = means.keep()
    return () => {
      for (const { values, before } of kept) values.set(before)
      restoreMeans()
    }
  }
  return {
    get error() { return method.error },
    step(state, t, h, reactions) {
      share = h / records.step()
      works.begin()
      undo = remember()
      bodies.accelerate(other, accelerations)
      return method.step(state, t, h, reactions, coupling)
    },
    accept(before, after, t, h, reactions) {
      const { middle: { positions, velocities }, rates } = method.last
      const middle = { positions: positions.subarray(0, 3 * count), velocities: velocities.subarray(0, 3 * count) }
      losses.bookTwo(before, after, { middle, rates }, t, h, reactions, works)
    },
    refuse() { undo() },
  }
}
