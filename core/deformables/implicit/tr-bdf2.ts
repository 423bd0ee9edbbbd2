/**
 * TR-BDF2 [Bank et al. 85; Hosea & Shampine 96]: the trapezoidal rule over γ h, then the backward difference formula over the rest, γ = 2 − √2. It
 * has second order and is L-stable. Both stages have the same length a = γ h / 2 and so nearly the same matrix.
 *
 *   x_γ = x₀ + a (v₀ + v_γ)                     x* = x₀ + a v₀,   v* = v₀ + a M⁻¹ f₀,   C* = C₀ + a Ċ₀
 *   x₁ = x₀ + p (x_γ − x₀) + a v₁,  p = 1 / (γ (2 − γ))     and the same for v and C
 *
 * A step gives the impulse h (w f₀ + w f_γ + a/h f₁) and the displacement h (w v₀ + w v_γ + a/h v₁), w = √2 / 4 = p a / h.
 *
 * Multipliers of ties, rods and conditions are forces like others: f₀ contains those of the last step. Contacts are not, because the impulse of an impact must
 * not be extrapolated: their impulse of the first stage, a f_γ, counts once, and that of the second is a f₁, as in Moreau's scheme. Each is taken at the end
 * of its stage; a contact is thus exact where its normal does not turn, and of first order where it does. Starts x* that contacts would exclude are made
 * feasible first (`predictor.ts`).
 *
 * Dynamic bodies move from c₀ by h v₁, as time-stepping moves loaded ones, also within the step: by s (v₀ + s a_b + impulse until then ÷ m), where a_b is the
 * acceleration by all else. In the unknowns of a stage, X = x* + a V, this is a body of m/2 in the first stage and (a / h) m in the second.
 *
 * Position error: the difference to the embedded third-order formula, h ((1 − w)/3 · v₀ + (3 w + 1)/3 · v_γ + γ/6 · v₁) minus h (w v₀ + w v_γ + γ/2
 * v₁).
 */

import { restart, type Carriers } from '../contact/carriers'
import { makeFeasible, raiseBounces } from '../contact/predictor'
import type { StageContacts } from '../contact/stage-contacts'
import { addForces, conditionRates, conditionValues, elementWorkspace } from '../energy'
import type { ParticleState, ParticleSystem } from '../system'
import { flies, PASSED, type ImplicitMethod } from './euler'
import { stageSolver } from './stage'
import type { StageReport, StageSettings } from './stage-settings'

/** The first stage ends after γ h. */
export const GAMMA = 2 - Math.SQRT2
const WEIGHT = Math.SQRT2 / 4
const PART = 1 / (GAMMA * (2 - GAMMA))
/** a / h. */
const LAST = GAMMA / 2
/** A steady contact force N acts as 2 N in the first stage and as √2 N in the second: their impulses, × a, add to h N. */
const CONTACT_SCALE = Math.SQRT2

/** Weights of the forces at the start, at γ h, and at the end of a step in its impulse ÷ h. */
export const WEIGHTS = [WEIGHT, WEIGHT, LAST] as const

/** Contacts, ties and bodies in the steps of a method of two stages. */
export interface StageCoupling {
  readonly contacts: StageContacts
  readonly carriers: Carriers
  /** m/s², of all blocks: of bodies by all else, included in the velocities at the start of a step of h seconds by h × this. */
  readonly accelerations: Float64Array
  /** Moves prescribed carriers to their poses s seconds after the start of the step. */
  lead(s: number): void
  /**
   * The forces of links are those at the start of the step (no contacts), at γ h, or at its end.
   *
   * @param held share of these forces of ties, rods and conditions in their mean; @param contact share of those of contacts
   */
  observe(held: number, contact: number, state: ParticleState): void
}

/** What a step has passed through, for the energy balance: all of the last step that converged. */
export interface TwoStages {
  /** At γ h. */
  readonly middle: ParticleState
  /** Ċ of every energy at the start, at γ h, and at the end, as damping has them. */
  readonly rates: readonly (readonly Float64Array[])[]
}

export interface TrBdf2 extends ImplicitMethod {
  /** @param reactions N on held particles: their means over the step */
  step(state: ParticleState, t: number, h: number, reactions: Float64Array, coupling?: StageCoupling): StageReport
  readonly last: TwoStages
}

export function trBdf2(system: ParticleSystem, settings: StageSettings): TrBdf2 {
  const { masses, energies, loads, held } = system
  const n = masses.length
  const weighed = masses.slice()
  const solver = stageSolver(system, settings)
  const workspace = elementWorkspace(energies.map(({ condition }) => condition))
  const three = (): Float64Array => new Float64Array(3 * n)
  const [X, V, old, middle, middleVelocities, positions, velocities, f, feasible, shift, pressed, endReactions] = Array.from({ length: 12 }, three) as
    [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array,
      Float64Array]
  const columns = (): Float64Array[] => energies.map(({ condition }) => new Float64Array(condition.count * condition.rows))
  const [conditions, base, values] = [columns(), columns(), columns()]
  const rates = [columns(), columns(), columns()]
  const start = { positions, velocities, conditions }
  let error = 0

  /** Writes C at x. */
  const evaluate = (x: Float64Array, out: readonly Float64Array[]): void => {
    energies.forEach(({ condition }, k) => { conditionValues(condition, x, out[k]!, workspace) })
  }

  /**
   * Solves a stage from xs, vs, where its paths begin: x* is xs plus `shift`. X and V are the first iterate.
   *
   * @param window s: duration of the paths
   */
  function stage(index: 1 | 2, t: number, h: number, xs: Float64Array, vs: Float64Array, reactions: Float64Array, coupling: StageCoupling | undefined,
    place: () => void): StageReport {
    const a = LAST * h
    const window = index === 1 ? GAMMA * h : h - GAMMA * h
    const time = index === 1 ? a : (2 * WEIGHT - GAMMA) * h
    const contacts = coupling?.contacts
    const part = { index, length: a, contactScale: index === 1 ? CONTACT_SCALE : 1 / CONTACT_SCALE, part: PART }
    if (contacts?.begin(xs, vs, window, X, part) === false) return PASSED
    if (index === 1 && coupling) {
      coupling.contacts.addHeld(xs, f)
      coupling.observe(WEIGHT, 0, { positions: xs, velocities: vs })
    }
    const guess = vs
    const solve = (links?: StageContacts): StageReport => {
      positions.set(xs)
      feasible.fill(0)
      if (links) {
        const before = shift.slice()
        links.place(xs)
        if (makeFeasible(links.links, { blocks: shift, time }, weighed, held, window)) for (let k = 0; k < 3 * n; k++) feasible[k] = shift[k]! - before[k]!
        raiseBounces(links.links, { blocks: shift, time }, window, a / window)
        links.startFrom({ blocks: shift, time }, a / window)
      }
      for (let k = 0; k < 3 * n; k++) positions[k]! += shift[k]!
      place()
      return solver.solve(t, a, { ...start, guess }, X, V, reactions, links)
    }
    pressed.fill(0)
    if (!contacts) return solve()
    let report = contacts.idle && flies(contacts, xs, vs, window, X, part) ? solve() : null
    if (report?.converged === true && !contacts.passes(xs, X)) {
      X.set(xs)
      V.set(vs)
      system.lead?.(t, X, V)
      contacts.begin(xs, vs, window, X, part)
      report = null
    }
    if (report === null) {
      report = solve(contacts)
      if (report.converged) contacts.addContacts(pressed)
    }
    if (report.converged) contacts.accept()
    return report
  }

  /** Whether block i is one of a body. */
  const bodies = new Uint8Array(n)

  return {
    get error() { return error },
    last: { middle: { positions: middle, velocities: middleVelocities }, rates },
    step(state: ParticleState, t, h, reactions, coupling) {
      const a = LAST * h
      const { positions: x0, velocities: end } = state
      const free = coupling?.accelerations
      const memory = coupling?.contacts.memory
      bodies.fill(0)
      if (coupling) for (const block of coupling.carriers.blocks) if (block >= 0) bodies[block] = bodies[block + 1] = 1
      const weigh = (factor: number): void => { for (let i = 0; i < n; i++) masses[i] = bodies[i] === 1 ? factor * weighed[i]! : weighed[i]! }
      const failed = (report: StageReport): StageReport => {
        if (coupling) coupling.contacts.memory = memory!
        masses.set(weighed)
        return report
      }
      const v0 = old
      for (let k = 0; k < 3 * n; k++) v0[k] = end[k]! - (free === undefined ? 0 : h * free[k]!)
      f.fill(0)
      for (const load of loads) load.addForces(t, x0, v0, f)
      energies.forEach((energy, k) => {
        addForces(energy, x0, v0, f, workspace)
        conditionRates(energy.condition, x0, v0, rates[0]![k]!, workspace)
      })
      X.set(x0)
      V.set(v0)
      system.lead?.(t + GAMMA * h, X, V)
      coupling?.lead(GAMMA * h)
      weigh(1 / 2)
      for (let k = 0; k < 3 * n; k++) shift[k] = a * v0[k]!
      const first = stage(1, t + GAMMA * h, h, x0, v0, reactions, coupling, () => {
        for (let i = 0; i < n; i++) {
          for (let k = 3 * i; k < 3 * i + 3; k++) {
            velocities[k] = bodies[i] === 1 ? v0[k]! + 4 * a * free![k]! + 2 * a * f[k]! / weighed[i]! : v0[k]! + (a * f[k]!) / weighed[i]!
          }
        }
        for (let k = 0; k < 3 * n; k++) middle[k] = x0[k]! + feasible[k]!
        evaluate(middle, base)
        for (let e = 0; e < base.length; e++) for (let c = 0; c < base[e]!.length; c++) conditions[e]![c] = base[e]![c]! + a * rates[0]![e]![c]!
      })
      if (!first.converged) return failed(first)
      evaluate(X, values)
      for (let e = 0; e < base.length; e++) for (let c = 0; c < base[e]!.length; c++) rates[1]![e]![c] = (values[e]![c]! - conditions[e]![c]!) / a
      // From here on `middle` is x_γ, and `positions` that without the displacement that made x* feasible.
      for (let k = 0; k < 3 * n; k++) positions[k] = x0[k]! + feasible[k]!
      for (let k = 0; k < 3 * n; k++) shift[k] = positions[k]! + PART * (X[k]! - positions[k]!) - X[k]!
      // Impulse ÷ h until now: of forces by their weights, and of contacts.
      const gained = f.slice()
      for (let i = 0; i < n; i++) {
        const force = (k: number): number => held[i] ? -reactions[k]! : weighed[i]! * (bodies[i] === 1 ? 0.5 : 1) * (V[k]! - velocities[k]!) / a
        for (let k = 3 * i; k < 3 * i + 3; k++) gained[k] = WEIGHT * (f[k]! + force(k) - pressed[k]!) + LAST * pressed[k]!
      }
      middle.set(X)
      middleVelocities.set(V)
      coupling?.observe(WEIGHT, LAST, { positions: middle, velocities: middleVelocities })
      if (coupling) {
        restart(coupling.carriers)
        takeVelocities(coupling.carriers, V)
      }
      system.lead?.(t + h, X, V)
      for (let i = 0; i < n; i++) {
        if (bodies[i] === 1) for (let k = 3 * i; k < 3 * i + 3; k++) X[k] = middle[k]!
        if (held[i]) for (let k = 3 * i; k < 3 * i + 3; k++) shift[k] = (2 * WEIGHT - GAMMA) * h * middleVelocities[k]!
      }
      coupling?.lead(h)
      weigh(LAST)
      const second = stage(2, t + h, h, middle, middleVelocities, endReactions, coupling, () => {
        for (let i = 0; i < n; i++) {
          for (let k = 3 * i; k < 3 * i + 3; k++) {
            velocities[k] = bodies[i] === 1 ? (h * (v0[k]! + h * free![k]! + h * gained[k]! / weighed[i]!) - PART * middle[k]!) / a
              : v0[k]! + h * gained[k]! / weighed[i]!
          }
        }
        for (let e = 0; e < base.length; e++) for (let c = 0; c < base[e]!.length; c++) conditions[e]![c] = PART * (values[e]![c]! - base[e]![c]!)
        if (feasible.some(by => by !== 0)) {
          for (let k = 0; k < 3 * n; k++) feasible[k]! += middle[k]!
          evaluate(feasible, rates[2]!)
        } else {
          rates[2]!.forEach((row, e) => { row.set(values[e]!) })
        }
        for (let e = 0; e < base.length; e++) {
          for (let c = 0; c < base[e]!.length; c++) conditions[e]![c]! += base[e]![c]! + rates[2]![e]![c]! - values[e]![c]!
        }
      })
      second.iterations += first.iterations
      second.linearIterations += first.linearIterations
      second.indefinite += first.indefinite
      second.residual = Math.max(second.residual, first.residual)
      second.exhausted ||= first.exhausted
      if (!second.converged) return failed(second)
      evaluate(X, values)
      for (let e = 0; e < base.length; e++) for (let c = 0; c < base[e]!.length; c++) rates[2]![e]![c] = (values[e]![c]! - conditions[e]![c]!) / a
      coupling?.observe(LAST, LAST, { positions: X, velocities: V })
      masses.set(weighed)
      error = 0
      for (let i = 0; i < n; i++) {
        for (let k = 3 * i; k < 3 * i + 3; k++) {
          reactions[k] = held[i] ? LAST * endReactions[k]! - gained[k]! : 0
          if (bodies[i] === 1) {
            end[k]! += h * gained[k]! / weighed[i]! + LAST * (V[k]! - velocities[k]!)
            continue
          }
          end[k] = V[k]!
          if (held[i]) continue
          const difference = ((1 - 4 * WEIGHT) / 3) * v0[k]! + (1 / 3) * middleVelocities[k]! + (GAMMA / 6 - GAMMA / 2) * V[k]!
          error = Math.max(error, h * Math.abs(difference))
        }
      }
      x0.set(X)
      return second
    },
  }
}

/** Sets the velocities of dynamic carriers to those of a stage. */
function takeVelocities({ count, blocks, velocities, inverseRoots: B }: Carriers, V: Float64Array): void {
  for (let c = 0; c < count; c++) {
    if (blocks[c]! < 0) continue
    const [k, b] = [3 * blocks[c]!, 9 * c]
    for (let r = 0; r < 3; r++) {
      velocities[6 * c + r] = V[k + r]!
      velocities[6 * c + 3 + r] = B[b + r]! * V[k + 3]! + B[b + 3 + r]! * V[k + 4]! + B[b + 6 + r]! * V[k + 5]!
    }
  }
}
