/** One pouring with one contact model, measured after every step. */

import { contactModel } from '../../../core/methods/time-stepping/contact-models'
import { runTimeStepping } from '../../../core/methods/time-stepping'
import type { StepSolverName } from '../../../core/methods/time-stepping/settings'
import { StopError } from '../../../core/methods/method'
import { check } from '../../../core/simulation/check'
import { compile } from '../../../core/simulation/compile'
import { OverlapMeter, pouringScene, Watched, type Pouring } from './pouring'

export interface PouringRun extends Pouring {
  readonly model: string
  /** After every step: m³ (in two dimensions m²), number of contacts that push, number of standard-model traps. */
  readonly overlap: readonly number[]
  readonly contacts: readonly number[]
  readonly traps: readonly number[]
  /** ms a step, without the measuring. */
  readonly time: number
  /** Number of halved steps. */
  readonly halved: number
  /** Reason and time of an early end; empty if the run completed. */
  readonly ended: string
}

/** Corners of the friction pyramid where a solver needs one. */
const DIRECTIONS = 8

/** @param model with a solver behind a plus, as in peg+slack; auto where there is none; @param seconds of wall clock after which the run is cut off */
export function pour(pouring: Pouring, model: string, primaryContacts: number, seconds: number): PouringRun {
  const { scene, problems } = check(pouringScene(pouring))
  if (scene === null) throw new Error(problems.map(problem => problem.message).join('; '))
  const world = compile(scene, null)
  const [name, solver = 'auto'] = model.split('+') as [string, StepSolverName?]
  const watched = new Watched(contactModel(name, { primaryContacts }))
  const meter = new OverlapMeter(world)
  const [overlap, contacts, traps]: number[][] = [[], [], []]
  let halved = 0
  let measuring = 0
  const started = performance.now()
  const deadline = started + 1000 * seconds
  let ended = ''
  try {
    const end = runTimeStepping(world, {
      step: pouring.step, contactModel: watched, solver, frictionDirections: solver === 'auto' ? 0 : DIRECTIONS, sleep: false,
      implicitMethod: 'euler', impact: 'simultaneous', restingSpeed: scene.simulation.eventDriven.restingSpeed, separate: false, tolerance: null, linearizations: pouring.linearizations,
    }, { duration: pouring.duration, outputRate: 1 / pouring.step }, {
      observer: {
        frame: ({ index, snapshot, contacts: touching }) => {
          const from = performance.now()
          if (index > 0) {
            overlap!.push(meter.volume(snapshot.motions.map(({ pose }, body) => snapshot.exists[body] ? pose : null)))
            contacts!.push(touching.filter(({ normalForce }) => normalForce > 0).length)
          }
          const found = watched.takeTraps(snapshot.motions.map(({ pose }) => pose))
          if (index > 0) traps!.push(found)
          measuring += performance.now() - from
        },
        event: ({ kind }) => { if (kind === 'degraded') halved++ },
      },
      cancelled: () => performance.now() > deadline, started: () => undefined,
    })
    if (end.status === 'cancelled') ended = `cut off at ${end.simulatedTime.toFixed(2)} s`
  } catch (error) {
    if (!(error instanceof StopError)) throw error
    ended = `${error.name} at ${error.time.toFixed(2)} s`
  }
  return {
    ...pouring, model, overlap: overlap!, contacts: contacts!, traps: traps!, halved, ended,
    time: (performance.now() - started - measuring) / Math.max(1, overlap!.length),
  }
}
