/**
 * Works of the impulses of an accepted step, for the energy audit. Each impulse works along the mean of the velocities before and after it; impacts
 * work along the velocities at the surface.
 */

import { WORKS } from '../../contact/works'
import type { Rows } from '../../contact/rows'
import { contactWorks, persistentWorks, rowWork, suddenWorks } from './contact-work'
import type { StepContext } from './context'
import { workOnKinematic } from './kinematic-work'
import { loadWorks, type LoadWorks } from './loaded'
import type { Stepper } from './stepper'

const FRICTION = WORKS.indexOf('friction')
const SCRIPTS = WORKS.indexOf('scripts')
const JOINTS = WORKS.indexOf('joints')
const KINEMATIC = WORKS.indexOf('kinematic')

/** Of one step, J. */
export interface StepWorks {
  /** In the order of `WORKS`. */
  readonly works: Float64Array
  impactWork: number
  numericalWork: number
  /** Works of deformables, and of scripts acting on them. */
  readonly load: LoadWorks
}

/** Works of the impulses of the last finished step, and of forces by the trapezoidal rule from their power at both ends. */
export function auditStep({ equations, world, state, time }: StepContext, stepper: Stepper): StepWorks {
  const { islands, motions, powerBefore, h } = stepper
  const { power } = equations
  const works = Float64Array.from(WORKS, (_, k) => h / 2 * (powerBefore[k]! + power[k]!))
  const audit: StepWorks = { works, impactWork: 0, numericalWork: 0, load: loadWorks(equations, time + h, state, stepper) }
  works[SCRIPTS]! += audit.load.gained
  for (const island of islands) {
    const { problem, mode, leapfrog, kickTime, drives, limits, spins, recordedWorks, firstPass } = island
    const { endRows, endImpulse, endWork, endKick, endContacts, led } = island
    if (problem === null) continue
    if (recordedWorks !== null) {
      audit.impactWork += recordedWorks.normal
      audit.numericalWork += recordedWorks.numerical
      works[FRICTION]! += recordedWorks.friction
      works[KINEMATIC]! += recordedWorks.kinematic
      continue
    }
    const { rows, p } = problem
    // Where forces changed suddenly, the impulses between both ends of the step, instead of its forces.
    const between = endKick === null ? p : p.map((impulse, row) => impulse - led[row]!)
    const work = (row: number): number => leapfrog && endKick === null ? h * island.meanForce(row) * rows.along(row, motions.velocity)
      : rowWork({ rows, p: between }, leapfrog ? null : firstPass, row, motions) + (endWork[row] ?? 0)
    if (endKick !== null) {
      works[JOINTS]! += endKick.joints
      works[KINEMATIC]! += endKick.kinematic
    }
    if (mode === 'contact') {
      const { normal, friction } = !leapfrog ? contactWorks(island, motions, h, firstPass)
        : endKick !== null ? suddenWorks(island, motions, endKick, h) : persistentWorks(island, motions, h)
      audit.impactWork += normal + (endContacts?.normal ?? 0)
      works[FRICTION]! += friction + (endContacts?.friction ?? 0)
    }
    for (const { of: { joint }, rows: own } of spins) {
      for (const row of own.rows) works[joint === undefined ? FRICTION : JOINTS]! += work(row)
    }
    for (const { row } of limits) if (row >= 0) audit.impactWork += work(row)
    for (const { row } of drives) works[JOINTS]! += work(row)
    const share = leapfrog && endKick === null ? h / kickTime : 1
    const kinematic = (own: Rows, impulses: Float64Array): void => { works[KINEMATIC]! -= share * workOnKinematic(world, own, impulses, motions.before) }
    for (const [own, impulses] of [[rows, between], ...endRows === null ? [] : [[endRows, endImpulse] as const]] as const) {
      kinematic(own, impulses)
      if (own.second !== null) kinematic(own.second, own.owned(impulses))
    }
  }
  return audit
}
