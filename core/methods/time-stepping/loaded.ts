/**
 * Bodies that deformables push. Such a body has its whole kick at the start of the step, as one that contacts hold: c₁ = c₀ + h v₁, which is where the implicit
 * step of the deformables had it [core/deformables/contact/carriers.ts]. With half of the kick at the end it would stand elsewhere by h/2 of what its velocity
 * changed by, and what lies between it and another body would have no room.
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

/** What deformables did to bodies in a step, J. */
export interface LoadWorks {
  /** Along the bodies' ways. */
  along: number
  /** What the bodies' energy grew by: the method takes the rest. */
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
 * Works in a step that was finished last, which began at `state`. A kick works along the mean of the velocities before and after it; with all of it at the
 * start the way is that of the velocity after it, and forces do more, or less, along the way than the kick gives. That is what implicit Euler takes from the
 * particles, ½ |Δv|²_M where forces are constant, and it is booked like that, with the little that joints do along the chords of their turns. Where contacts
 * act, their works have it.
 */
export function loadWorks(equations: EquationsOfMotion, time: number, state: Float64Array, { loaded, islands, motions, end, h }: LoadedStep): LoadWorks {
  const works: LoadWorks = { along: 0, gained: 0 }
  if (loaded.every(mark => mark === 0)) return works
  const { world: { reactions }, layout: { offsets } } = equations
  const held = new Uint8Array(loaded.length)
  const free = loaded.slice()
  const { before, velocity, kick } = motions
  for (const { bodies, mode, constraints, booked, problem, endWork } of islands) {
    if (mode !== 'contact') continue
    const contacts = constraints.length > 0 || booked !== null
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
