/**
 * Bodies with forces from deformables. The whole kick of such a body acts at the start of the step, as for bodies with contacts: c₁ = c₀ + h v₁, the
 * position assumed by the implicit step of the deformables [core/deformables/contact/carriers.ts]. With half of the kick at the end its position
 * would differ by h/2 of its velocity change, and a particle between it and another body could be squeezed.
 */

import type { EquationsOfMotion } from '../../contact/equations'
import type { World } from '../../contact/world'
import { BODY_STATE } from '../../dynamics/state'
import { ROW_EQUALITY } from '../../lcp/problem'
import type { BodyMotions } from './body-motions'
import type { StepIsland } from './step-island'

/** Marks the bodies on which any deformable acts. */
export function markLoaded({ reactions }: World, loaded: Uint8Array): void {
  loaded.fill(0)
  for (const { wrenches } of reactions) for (let k = 0; k < wrenches.length; k++) if (wrenches[k] !== 0) loaded[Math.floor(k / 6)] = 1
}

/** Works of deformables on bodies in a step, J. */
export interface LoadWorks {
  /** Work along the bodies' paths. */
  along: number
  /** Energy gained by the bodies; the difference is a loss of the method. */
  gained: number
}

interface LoadedStep {
  readonly loaded: Uint8Array
  readonly islands: readonly StepIsland[]
  readonly motions: BodyMotions
  /** State at its end. */
  readonly end: Float64Array
  /** s */
  readonly h: number
}

/**
 * Works in the last finished step, which began at `state`. A kick works along the mean of the velocities before and after it. With the whole kick at
 * the start, the displacement is that of the velocity after it, so forces do more, or less, work along the path than the kick supplies. This is the
 * loss of implicit Euler for particles, ½ |Δv|²_M for constant forces, and it is accounted for in the same way, together with the small work of
 * joints along the chords of their rotations. For contacts it is included in their works.
 */
export function loadWorks(equations: EquationsOfMotion, time: number, state: Float64Array, { loaded, islands, motions, end, h }: LoadedStep): LoadWorks {
  const works: LoadWorks = { along: 0, gained: 0 }
  if (loaded.every(mark => mark === 0)) return works
  const { world: { reactions }, layout: { offsets } } = equations
  const held = new Uint8Array(loaded.length)
  const free = loaded.slice()
  const { before, velocity, kick } = motions
  for (const { bodies, mode, constraints, recordedWorks, problem, endWork } of islands) {
    if (mode !== 'contact') continue
    const contacts = constraints.length > 0 || recordedWorks !== null
    for (const body of bodies) {
      held[body] = contacts ? 1 : 0
      free[body] = contacts ? 0 : 1
    }
    if (contacts) continue
    const { rows, p, kind } = problem!
    for (let row = 0; row < rows.count; row++) {
      if (kind[row] === ROW_EQUALITY) works.gained += p[row]! * (rows.along(row, before) + rows.along(row, velocity)) / 2 + (endWork[row] ?? 0)
    }
  }
  for (const { wrenches } of reactions) {
    for (let k = 0; k < wrenches.length; k++) {
      if (wrenches[k] === 0) continue
      const contacts = held[Math.floor(k / 6)] === 1
      const mean = (before[k]! + velocity[k]!) / 2
      works.along += h * wrenches[k]! * (contacts ? mean : velocity[k]!)
      if (contacts) works.gained += h * wrenches[k]! * mean
    }
  }
  if (free.every(mark => mark === 0)) return works
  const moved = state.slice()
  free.forEach((mark, body) => {
    const o = offsets[body]!
    if (mark === 0 || o < 0) return
    moved.set(end.subarray(o, o + BODY_STATE), o)
    for (let k = 6 * body; k < 6 * body + 6; k++) works.gained += kick[k]! * (before[k]! + velocity[k]!) / 2
  })
  const ends = ([[time - h, state, -1], [time, moved, 1]] as const)
  for (const [instant, at, sign] of ends) {
    equations.loads(instant, at, null, free)
    works.gained += sign * equations.potential() - h / 2 * equations.power.reduce((sum, power) => sum + power, 0)
  }
  return works
}
