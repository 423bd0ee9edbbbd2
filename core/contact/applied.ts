/** Loads on bodies other than contacts and joint reactions, by source, and their sum: the force balance of one frame. */

import { JACOBIAN_WIDTH } from '../dynamics/joints/joint'
import type { EquationsOfMotion, WrenchListener } from './equations'
import type { Island } from './island'
import type { IslandSpin } from './island-spin'
import type { Rows } from './rows'
import { add, negate, ZERO, type Vec3 } from '../math/vector'

/** Load on one body from one source other than contacts and joint reactions: N, and N m about its centre of mass. */
export interface AppliedWrench {
  readonly kind: 'force' | 'element' | 'drive' | 'reaction'
  /** Index in the world's forces for `force`, of the joint for the others. */
  readonly source: number
  readonly body: number
  readonly force: Vec3
  readonly torque: Vec3
}

type Kind = AppliedWrench['kind']

/** Wrenches summed by source and body, in the order of first appearance. */
export class AppliedWrenches {
  private readonly found = new Map<string, { -readonly [K in keyof AppliedWrench]: AppliedWrench[K] }>()

  constructor(private readonly equations: EquationsOfMotion) {}

  get list(): AppliedWrench[] {
    return [...this.found.values()]
  }

  /** For `EquationsOfMotion.loads`. Gravity is omitted because it is the same in every frame. */
  readonly listen: WrenchListener = (source, body, force, torque) => {
    if (source < 0) return this.add('element', -1 - source, body, force, torque)
    const { type, id } = this.equations.world.forces[source]!
    if (type === 'gravity') return
    const joint = type === 'ballDamping' ? this.equations.world.joints.findIndex(({ constraint }) => constraint.id === id) : -1
    this.add(joint < 0 ? 'force' : 'element', joint < 0 ? source : joint, body, force, torque)
  }

  /** Adds wrenches computed elsewhere. */
  addAll(wrenches: readonly AppliedWrench[]): void {
    for (const { kind, source, body, force, torque } of wrenches) this.add(kind, source, body, force, torque)
  }

  /** Adds holding drives, whose forces are multipliers. */
  addDrives({ drives, driveRow, rows }: Pick<Island, 'drives' | 'driveRow' | 'rows'>, f: Float64Array): void {
    drives.forEach(({ joint }, i) => {
      const row = driveRow[i]!
      for (const [side, body] of [rows.bodyA[row]!, rows.bodyB[row]!].entries()) {
        this.addRow('drive', joint, body, rows.jacobian, row * JACOBIAN_WIDTH + 6 * side, f[row]!)
      }
    })
  }

  /** Coulomb friction of ball joints. */
  addSpins(spins: readonly IslandSpin[], f: Float64Array): void {
    for (const spin of spins) {
      if (spin.of.joint === undefined) continue
      const { joint, element: { constraint: { bodyA, bodyB } } } = spin.of.joint
      this.add('drive', joint, bodyA, ZERO, spin.torque(f))
      this.add('drive', joint, bodyB, ZERO, negate(spin.torque(f)))
    }
  }

  /**
   * Loads of gears on the bodies of their second joints, from the multipliers of their rows; loads on the bodies of the first joint are ordinary reactions.
   */
  addGears(joints: readonly { readonly index: number; readonly firstRow: number }[], { second, owners }: Pick<Rows, 'second' | 'owners'>, f: Float64Array): void {
    owners.forEach((row, k) => {
      const { index } = joints.findLast(({ firstRow }) => firstRow <= row)!
      for (const [side, body] of [second!.bodyA[k]!, second!.bodyB[k]!].entries()) {
        this.addRow('reaction', index, body, second!.jacobian, k * JACOBIAN_WIDTH + 6 * side, f[row]!)
      }
    })
  }

  private addRow(kind: Kind, source: number, body: number, jacobian: Float64Array, at: number, f: number): void {
    const part = (k: number): Vec3 => [f * jacobian[at + k]!, f * jacobian[at + k + 1]!, f * jacobian[at + k + 2]!]
    this.add(kind, source, body, part(0), part(3))
  }

  private add(kind: Kind, source: number, body: number, force: Vec3, torque: Vec3): void {
    if (body < 0 || this.equations.snapshot.inverseMass[body] === 0) return
    const key = `${kind}/${source}/${body}`
    const known = this.found.get(key)
    if (known === undefined) {
      this.found.set(key, { kind, source, body, force, torque })
      return
    }
    known.force = add(known.force, force)
    known.torque = add(known.torque, torque)
  }
}

/** Sum of external wrenches and multipliers, without joints of trees. */
export function withoutTrees(equations: EquationsOfMotion, solved: readonly { readonly island: Island, readonly f: Float64Array }[]): Float64Array {
  const total = equations.external.slice()
  for (const { island, f } of solved) island.rows.addWrench(f, total)
  return total
}

/** Sum of external wrenches, multipliers and joints of trees, as in the integrator; zero in equilibrium. */
export function ratesOf(equations: EquationsOfMotion, solved: readonly { readonly island: Island, readonly f: Float64Array }[]): Float64Array {
  const total = equations.external.slice()
  for (const { island, f } of solved) {
    if (island.equilibrium === null) island.rows.addWrench(f, total)
    else for (const body of island.bodies) total.fill(0, 6 * body, 6 * body + 6)
  }
  equations.completeTrees(total)
  return total
}
