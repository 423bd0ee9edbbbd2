/**
 * Monitors: functions of time that are positive while the frozen equations hold, and whose zeros are events: vanishing normal forces,
 * vanishing tangential velocities, friction at the bound of its cone, closing gaps, contact points that leave their feature, joint limits, saturated
 * drives, and joint loads at the breaking limit.
 */

import type { FeaturePair } from '../../collision/contact'
import type { Drive, SpinFriction, TouchingPoint } from '../../contact/constraints'
import type { Island } from '../../contact/island'
import { pointForce } from '../../contact/island-forces'
import type { IslandSpin } from '../../contact/island-spin'
import { BASIS_CLAMPED } from '../../lcp/problem'
import { dot, length } from '../../math/vector'
import { remainingStrength } from '../../contact/joint-breaking'
import type { RunContext } from './context'
import { reactionIn } from './joint-reaction'
import { CONE_EXCESS, REACTION_ROUNDING } from './tolerances'

export type MonitorKind = 'part' | 'release' | 'slip' | 'stick' | 'onset' | 'gap' | 'grow' | 'feature' | 'limit' | 'drive'

export interface Monitor {
  readonly kind: MonitorKind
  /** Rounding of the value: smaller negative values count as zero. */
  readonly noise: number
  /** Allowed negative value if it starts at zero, for points on their bound. Absent: rounding. */
  readonly hair?: number
  /** At the last assembled state; `forces[k]` are the frozen multipliers of island k. */
  value(forces: readonly Float64Array[]): number
  /** Island of its rows; absent if poses and velocities are sufficient. */
  readonly island?: number
  readonly point?: TouchingPoint
  readonly spin?: SpinFriction
  readonly drive?: Drive
}

/** Kinds of monitors whose values are forces. */
export const WATCHES_FORCES: ReadonlySet<MonitorKind> = new Set<MonitorKind>(['part', 'release', 'slip', 'limit', 'drive'])

export class Monitors {
  readonly list: readonly Monitor[]
  private readonly forces: Float64Array[]

  constructor(private readonly context: RunContext) {
    this.forces = context.equations.islands.map(island => new Float64Array(island.problem.size))
    this.list = [
      ...context.equations.islands.flatMap((island, k) => islandMonitors(context, island, k).map(monitor => ({ ...monitor, island: k }))),
      ...gapMonitors(context),
      ...jointMonitors(context),
    ]
  }

  /** Value of one monitor at a state: only its own island is assembled, and solved only if the monitor needs forces. */
  sampleOne(time: number, state: Float64Array, index: number): number {
    const { equations } = this.context
    const monitor = this.list[index]!
    equations.loads(time, state)
    if (monitor.island !== undefined) {
      const island = equations.islands[monitor.island]!
      island.refill(equations.snapshot, equations.free)
      if (WATCHES_FORCES.has(monitor.kind)) this.forces[monitor.island] = island.indexSet.multipliers(equations.snapshot)
    }
    return monitor.value(this.forces)
  }

  /** Writes the values of all monitors at a state into `out`. */
  sample(time: number, state: Float64Array, out: Float64Array): void {
    const { equations } = this.context
    equations.loads(time, state)
    equations.islands.forEach((island, k) => {
      if (island.equilibrium !== null) return
      island.refill(equations.snapshot, equations.free)
      this.forces[k] = island.indexSet.multipliers(equations.snapshot)
    })
    this.list.forEach((monitor, i) => { out[i] = monitor.value(this.forces) })
  }
}

function islandMonitors(context: RunContext, island: Island, k: number): Monitor[] {
  const { tolerances } = context
  const monitors: Monitor[] = []
  if (island.equilibrium !== null) return monitors
  island.points.forEach((point, i) => {
    if (point.normal !== 'holding') return
    const row = island.pointRow[i]!
    monitors.push({ kind: 'release', noise: tolerances.forceNoise, point, value: forces => forces[k]![row]! })
    const geometry = island.geometry[i]!
    const speed = (): number => length(geometry.slip)
    if (island.law.name === 'crawl') {
      if (island.frictionIndex[i]! < 0) return
      monitors.push(point.friction === 'sliding'
        ? { kind: 'stick', noise: tolerances.speedNoise, point, value: () => speed() - tolerances.slip }
        : { kind: 'slip', noise: tolerances.speedNoise, point, value: () => tolerances.slip - speed() })
      return
    }
    if (point.friction === 'sliding' && point.onset) {
      monitors.push({
        kind: 'onset', noise: tolerances.speedNoise, point,
        value: () => tolerances.onset - speed(),
      })
    }
    if (point.friction === 'sliding') {
      monitors.push({
        kind: 'stick', noise: tolerances.speedNoise, point,
        value: () => geometry.slipAlong(point.slip),
      })
    }
    const axes = island.axes[i]!
    if (axes !== null) {
      ([0, 1] as const).filter(axis => !axes.slides && island.basis![axes.row + axis] === BASIS_CLAMPED).forEach(axis => monitors.push({
        kind: 'slip', noise: tolerances.forceNoise, hair: CONE_EXCESS * context.world.scales.force, point, value: forces => axes.slack(axis, forces[k]!),
      }))
    } else if (point.friction === 'sticking' && island.basis![row + 1] === BASIS_CLAMPED) {
      const mu = point.material.staticFriction
      monitors.push({
        kind: 'slip', noise: tolerances.forceNoise, hair: CONE_EXCESS * context.world.scales.force, point,
        value: forces => mu * forces[k]![row]! - length(pointForce(island, i, forces[k]!).friction),
      })
    }
  })
  for (const { index, element: { breaking } } of island.joints) {
    if (breaking === null) continue
    for (const one of [0, 1] as const) {
      if ((one === 0 ? breaking.force : breaking.torque) === Infinity) continue
      monitors.push({
        kind: 'part', noise: REACTION_ROUNDING, value: forces => remainingStrength(context.world, index, reactionIn(context.equations, island, forces[k]!, index))[one],
      })
    }
  }
  for (const entry of island.spins) monitors.push(...spinMonitors(context, island, entry, k))
  island.limits.forEach((limit, i) => {
    if (limit.normal !== 'holding') return
    const row = island.limitRow[i]!
    monitors.push({ kind: 'limit', noise: tolerances.forceNoise * Math.max(1, context.world.scales.size), value: forces => forces[k]![row]! })
  })
  island.drives.forEach((drive, i) => {
    if (drive.maxForce === Infinity) return
    const row = island.driveRow[i]!
    if (drive.state === 'holding') {
      monitors.push({ kind: 'drive', noise: 1e-10 * drive.maxForce, drive, value: forces => drive.maxForce - Math.abs(forces[k]![row]!) })
    } else {
      monitors.push({ kind: 'drive', noise: tolerances.speedNoise * 1e3, drive, value: () => onward(drive, island.driveVelocity[i]!) })
    }
  })
  return monitors
}

/** Like the friction monitors of a point. */
function spinMonitors({ tolerances }: RunContext, island: Island, entry: IslandSpin, k: number): Monitor[] {
  const { spin, of: { point }, row } = entry
  if (point !== undefined && point.normal !== 'holding') return []
  if (spin.friction === 'sliding') {
    return [
      ...(spin.onset ? [{ kind: 'onset', noise: tolerances.spinNoise, value: () => tolerances.onsetSpin - length(entry.velocity) } as const] : []),
      { kind: 'stick', noise: tolerances.spinNoise, spin, value: () => dot(entry.velocity, spin.slip) },
    ]
  }
  if (spin.friction !== 'sticking' || island.basis![row] !== BASIS_CLAMPED) return []
  return [{
    kind: 'slip', noise: tolerances.forceNoise * entry.reach, value: forces => entry.bound(forces[k]!) - length(entry.torque(forces[k]!)),
  }]
}

/** Remaining speed of a saturated drive to its target, positive in the direction in which it pushes. */
function onward(drive: Drive, velocity: number): number {
  return drive.state === 'positive' ? drive.targetVelocity - velocity : velocity - drive.targetVelocity
}

/** Gaps of touching pairs that may close, and margins of the features in contact. */
function gapMonitors(context: RunContext): Monitor[] {
  const { tolerances, contacts, equations: { snapshot } } = context
  const gapOf = (bodyA: number, bodyB: number, features: FeaturePair) => () =>
    features.locate(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose).gap
  const monitors: Monitor[] = []
  const resting = new Set(context.equations.islands.flatMap(island => island.equilibrium === null ? [] : island.points))
  const watched = context.points.filter(point => !resting.has(point))
  for (const point of watched) {
    const { bodyA, bodyB, features } = point
    if (point.normal !== 'holding') {
      monitors.push({ kind: 'gap', noise: tolerances.gapNoise, point, value: gapOf(bodyA, bodyB, features) })
      continue
    }
    const margin = () => features.margin(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose)
    if (margin() < Infinity) monitors.push({ kind: 'feature', noise: tolerances.gap, point, value: margin })
  }
  for (const { bodyA, bodyB, features } of contacts.candidates(snapshot, watched)) {
    monitors.push({ kind: 'grow', noise: tolerances.gapNoise, value: gapOf(bodyA, bodyB, features) })
  }
  for (const { bodyA, bodyB, landing } of contacts.landings(snapshot, watched.filter(point => point.normal === 'holding'))) {
    monitors.push({ kind: 'grow', noise: 0, value: () => landing(snapshot.motions[bodyA]!.pose, snapshot.motions[bodyB]!.pose) })
  }
  return monitors
}

/** Limits that may be reached, and saturated drives that may reach their target. */
function jointMonitors(context: RunContext): Monitor[] {
  const { equations, world, tolerances } = context
  const monitors: Monitor[] = []
  world.joints.forEach((element, joint) => {
    element.coordinates.forEach(({ limits }, coordinate) => {
      if (limits === null || !equations.jointLoads.acts(joint)) return
      for (const side of [1, -1] as const) {
        if (context.limits.some(limit => limit.joint === joint && limit.coordinate === coordinate && limit.side === side && limit.normal === 'holding')) {
          continue
        }
        const bound = side === 1 ? limits.lower : limits.upper
        if (!Number.isFinite(bound)) continue
        monitors.push({
          kind: 'limit', noise: tolerances.gapNoise, value: () => side * (equations.jointLoads.coordinate(joint, coordinate).position - bound),
        })
      }
    })
  })
  for (const drive of equations.jointLoads.saturated) {
    if (!equations.jointLoads.acts(drive.joint)) continue
    monitors.push({
      kind: 'drive', noise: tolerances.speedNoise * 1e3, drive,
      value: () => onward(drive, equations.jointLoads.coordinate(drive.joint, drive.coordinate).velocity),
    })
  }
  return monitors
}
