/** What happened in an accepted step, as events at its end. */

import type { Rows } from '../../contact/rows'
import { length } from '../../math/vector'
import type { SpinFriction } from '../../contact/constraints'
import type { MethodEventKind } from '../method'
import type { ActiveConstraint } from './active-constraint'
import type { StepContext } from './context'
import type { StepProblem } from './step-problem'
import type { Stepper } from './stepper'

type Hold = 'sticking' | 'sliding' | 'frictionless'

/** m/s, × the speed scale: slower slips count as sticking here. */
const STILL = 1e-6

export class ContactReport {
  private held = new Map<string, { readonly active: ActiveConstraint; readonly hold: Hold; readonly turning: readonly SpinFriction[] }>()
  private pairs = new Set<string>()
  private limits = new Set<string>()

  /** @param time of the step's end, s */
  tell(context: StepContext, stepper: Stepper, time: number): void {
    const held: typeof this.held = new Map()
    const pairs = new Set<string>()
    const pushing = stepper.islands.filter(island => island.mode === 'contact')
    for (const { constraints, problem } of pushing) {
      for (const active of constraints) {
        if (problem!.p[active.row]! <= 0) continue
        held.set(active.constraint.key, {
          active, hold: holdOf(context, stepper, active, problem!.rows), turning: turningOf(context, stepper, active, problem!.rows),
        })
        pairs.add(active.constraint.pair.key)
      }
    }
    for (const { constraints, problem } of pushing) {
      for (const active of constraints) if (problem!.p[active.row]! > 0) this.impact(context, stepper, active, problem!, time)
    }
    for (const [key, { active, hold, turning }] of held) {
      const before = this.held.get(key)
      if (before === undefined) this.event(context, this.pairs.has(active.constraint.pair.key) ? 'feature' : 'newContact', active, time)
      else if (before.hold !== hold && hold !== 'frictionless') this.event(context, hold === 'sticking' ? 'stick' : 'slip', active, time)
      for (const { kind } of before === undefined ? [] : active.spins) {
        const [was, is] = [before!.turning, turning].map(list => list.some(spin => spin.kind === kind))
        if (was !== is) this.event(context, is ? 'slip' : 'stick', active, time, `${kind} friction`)
      }
    }
    const released = new Set<string>()
    for (const { active } of this.held.values()) {
      const { key } = active.constraint.pair
      if (pairs.has(key) || released.has(key)) continue
      released.add(key)
      this.event(context, 'release', active, time)
    }
    this.held = held
    this.pairs = pairs
    this.tellLimits(context, stepper, time)
  }

  private event(context: StepContext, kind: MethodEventKind, active: ActiveConstraint, time: number, message = ''): void {
    const { pair, candidates } = active.constraint
    const { featureA, featureB } = candidates[active.choice]!
    context.environment.observer.event({
      kind, time, bodyA: pair.bodyA, bodyB: pair.bodyB, shapeA: pair.shapeA, shapeB: pair.shapeB, featureA, featureB,
      point: active.at.point, normal: active.at.normal, message,
    })
  }

  /** A contact that met in this step, faster than what rests. */
  private impact(context: StepContext, { motions }: Stepper, active: ActiveConstraint, { p, rows }: StepProblem, time: number): void {
    const { constraint: { pair, candidates }, at: { point, normal }, row, normalVelocity } = active
    if (this.held.has(active.constraint.key) && active.bounce === -Infinity) return
    if (-normalVelocity <= context.settings.restingSpeed) return
    const after = rows.along(row, motions.velocity)
    const { featureA, featureB } = candidates[active.choice]!
    context.environment.observer.event({
      kind: 'impact', time, bodyA: pair.bodyA, bodyB: pair.bodyB, shapeA: pair.shapeA, shapeB: pair.shapeB, featureA, featureB, point, normal,
      impulse: active.impulse(p), approachSpeed: -normalVelocity, reboundSpeed: Math.max(0, after),
      energyLoss: -p[row]! * (normalVelocity + after) / 2,
    })
  }

  private tellLimits(context: StepContext, { islands }: Stepper, time: number): void {
    const reached = new Map<string, { joint: number; id: string; which: string }>()
    for (const { mode, limits, problem } of islands) {
      if (mode !== 'contact') continue
      for (const { joint, coordinate, side, element, row } of limits) {
        if (problem!.p[row]! > 0) reached.set(`${joint}/${coordinate}/${side}`, { joint, id: element.constraint.id, which: side === 1 ? 'lower' : 'upper' })
      }
    }
    for (const [key, { joint, id, which }] of reached) {
      if (!this.limits.has(key)) context.environment.observer.event({ kind: 'limit', time, joint, message: `${id} reaches its ${which} limit` })
    }
    this.limits = new Set(reached.keys())
  }
}

function holdOf(context: StepContext, { motions }: Stepper, active: ActiveConstraint, rows: Rows): Hold {
  if (!(active.friction > 0)) return 'frictionless'
  const slip = length([rows.along(active.row + 1, motions.velocity), rows.along(active.row + 2, motions.velocity), 0])
  return slip > STILL * context.world.scales.speed ? 'sliding' : 'sticking'
}

function turningOf({ world: { scales } }: StepContext, { motions }: Stepper, active: ActiveConstraint, rows: Rows): readonly SpinFriction[] {
  return active.spinning(STILL * scales.speed / scales.size, row => rows.along(row, motions.velocity))
}
