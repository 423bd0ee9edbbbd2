/**
 * Energy correction for bodies that rotate without a torque. Their angular momentum is constant to rounding, and this correction keeps their energy
 * constant to rounding too. With both exact, the motion stays on the correct curve (Poinsot's), and the integrator's error only shifts the body along
 * this curve. Without the correction the energy drifts by the tolerance in each step. Close to the separatrix the period grows as the logarithm of
 * the distance from it, and the drift changes the instant of each flip by a millionfold error.
 *
 * With L the angular momentum and ω = J L, a small rotation δθ of the body changes E = ½ L·ω by δθ·(ω × L). The smallest rotation that restores E₀ −
 * E is
 *
 *   δθ = (E₀ − E) g / |g|²,   g = ω × L
 */

import { OFFSET_MOMENTUM, OFFSET_ORIENTATION } from '../../dynamics/state'
import { readMotion } from '../../dynamics/state-layout'
import { multiplyQuaternions, normalizeQuaternion, type Quat } from '../../math/quaternion'
import { cross, dot, type Vec3 } from '../../math/vector'
import type { RunContext } from './context'
import { MAX_ENERGY_ROTATION } from './tolerances'

/** Forces without a torque about the centre of mass. */
const WITHOUT_TORQUE: readonly string[] = ['gravity', 'gravityChange', 'uniform']
/** Corrections per step; after the first one, the remaining error is the square of the initial one. */
const PASSES = 2

/** Energies of the freely rotating bodies of a group, from one restart to the next. */
export class FreeRotation {
  /** By body, J; NaN if not known yet. */
  private readonly energies: Float64Array
  /** Bodies without a torque, unless they touch another body. */
  private readonly candidates: readonly number[]

  constructor({ world: { bodies, forces, joints } }: RunContext) {
    const turned = new Set(forces.filter(({ type }) => !WITHOUT_TORQUE.includes(type)).flatMap(force => force.bodies))
    for (const { constraint: { bodyA, bodyB, second } } of joints) for (const body of [bodyA, bodyB, second?.bodyA, second?.bodyB]) turned.add(body ?? -1)
    this.candidates = bodies.filter(({ type, index }) => type === 'dynamic' && !turned.has(index)).map(({ index }) => index)
    this.energies = new Float64Array(bodies.length).fill(NaN)
  }

  /** Resets the reference energies, because contacts and impacts may have changed them. */
  begin(): void {
    this.energies.fill(NaN)
  }

  /** After a step: restores the energy of freely rotating bodies, in place; the first call stores it. */
  correct({ equations: { layout, islands, snapshot } }: RunContext, state: Float64Array): void {
    for (const body of this.candidates) {
      if (layout.offsets[body]! < 0 || !snapshot.exists[body] || islands.some(({ bodies }) => bodies.includes(body))) continue
      this.turn(body, state, layout)
    }
  }

  private turn(body: number, state: Float64Array, layout: RunContext['equations']['layout']): void {
    const at = layout.offsets[body]!
    const L: Vec3 = [state[at + OFFSET_MOMENTUM]!, state[at + OFFSET_MOMENTUM + 1]!, state[at + OFFSET_MOMENTUM + 2]!]
    const energy = (): { E: number; g: Vec3 } => {
      const { angularVelocity } = readMotion(layout, body, state)
      return { E: 0.5 * dot(L, angularVelocity), g: cross(angularVelocity, L) }
    }
    const kept = this.energies[body]!
    if (Number.isNaN(kept)) {
      this.energies[body] = energy().E
      return
    }
    for (let pass = 0; pass < PASSES; pass++) {
      const { E, g } = energy()
      const square = dot(g, g)
      const share = (kept - E) / square
      if (!(Math.abs(kept - E) > 2 * Number.EPSILON * kept) || !(Math.abs(share) * Math.sqrt(square) <= MAX_ENERGY_ROTATION)) return
      const o = at + OFFSET_ORIENTATION
      const q: Quat = [state[o]!, state[o + 1]!, state[o + 2]!, state[o + 3]!]
      state.set(normalizeQuaternion(multiplyQuaternions([share * g[0] / 2, share * g[1] / 2, share * g[2] / 2, 1], q)), o)
    }
  }
}
