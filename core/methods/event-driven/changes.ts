/** Events for the changes of points, spins and joint limits by a restart. */

import type { FrictionState, NormalState, SpinFriction, TouchingLimit, TouchingPoint } from '../../contact/constraints'
import type { MethodEventKind } from '../method'
import { dot, type Vec3 } from '../../math/vector'
import type { RunContext } from './context'

interface Mode {
  readonly point: TouchingPoint
  readonly normal: NormalState
  readonly friction: FrictionState
  readonly slip: Vec3
}

/** State of the contact points, spins and limits before the restart. */
export interface Standing {
  readonly points: ReadonlyMap<string, Mode>
  readonly spins: ReadonlyMap<SpinFriction, Pick<Mode, 'friction' | 'slip'>>
  readonly limits: readonly TouchingLimit[]
}

/** Records the states before a restart. */
export function standing(context: RunContext): Standing {
  return {
    points: new Map(context.points.map(point => [point.key, { point, normal: point.normal, friction: point.friction, slip: point.slip }])),
    spins: new Map(allSpins(context).map(spin => [spin, { friction: spin.friction, slip: spin.slip }])), limits: context.limits,
  }
}

/** Reports an event for every state that differs from the recorded one. */
export function reportChanges(context: RunContext, { points, spins, limits }: Standing): void {
  reportPoints(context, points)
  reportSpins(context, spins)
  reportLimits(context, limits)
}

/** Torsional and rolling friction of all points, then friction of ball joints. */
export function allSpins({ points, jointSpins }: RunContext): SpinFriction[] {
  return [...points.flatMap(point => point.spins), ...jointSpins.map(({ spin }) => spin)]
}

function reportPoints(context: RunContext, before: ReadonlyMap<string, Mode>): void {
  const { observer } = context.environment
  const event = (kind: MethodEventKind, point: TouchingPoint): void => {
    const { bodyA, bodyB, shapeA, shapeB, features } = point
    observer.event({ kind, time: context.time, bodyA, bodyB, shapeA, shapeB, featureA: features.featureA, featureB: features.featureB })
  }
  const pairOf = (point: TouchingPoint): string => `${point.bodyA}/${point.bodyB}/${point.shapeA}/${point.shapeB}`
  const touchedPairs = new Set([...before.values()].filter(mode => mode.normal !== 'parting').map(mode => pairOf(mode.point)))
  const touchingPairs = new Set(context.points.filter(point => point.normal !== 'parting').map(pairOf))
  const now = new Map(context.points.map(point => [point.key, point]))
  for (const point of context.points) {
    const was = before.get(point.key)
    if (point.normal !== 'parting' && (was === undefined || was.normal === 'parting')) {
      event(touchedPairs.has(pairOf(point)) && was === undefined ? 'feature' : 'newContact', point)
    }
    if (was?.normal !== undefined && was.normal !== 'parting' && point.normal === 'parting') event('release', point)
    const change = was === undefined ? null : changeOf(was, point)
    if (change !== null) event(change, point)
  }
  for (const { point, normal } of before.values()) {
    if (normal !== 'parting' && !now.has(point.key) && !touchingPairs.has(pairOf(point))) event('release', point)
  }
}

/** The change of the friction state; null if it is unchanged. */
function changeOf(before: Pick<Mode, 'friction' | 'slip'>, now: Pick<Mode, 'friction' | 'slip'>): MethodEventKind | null {
  if (before.friction === 'sliding' && now.friction === 'sticking') return 'stick'
  if (before.friction === 'sticking' && now.friction === 'sliding') return 'slip'
  return before.friction === 'sliding' && now.friction === 'sliding' && dot(before.slip, now.slip) < 0 ? 'reversal' : null
}

function reportSpins(context: RunContext, before: Standing['spins']): void {
  const { time, points, jointSpins, environment: { observer } } = context
  const change = (spin: SpinFriction): MethodEventKind | null => {
    const was = before.get(spin)
    return was === undefined ? null : changeOf(was, spin)
  }
  for (const { spins, bodyA, bodyB, shapeA, shapeB, features: { featureA, featureB } } of points) {
    for (const spin of spins) {
      const kind = change(spin)
      if (kind !== null) observer.event({ kind, time, bodyA, bodyB, shapeA, shapeB, featureA, featureB, message: `${spin.kind} friction` })
    }
  }
  for (const { joint, spin, element: { constraint: { id, bodyA, bodyB } } } of jointSpins) {
    const kind = change(spin)
    if (kind !== null) observer.event({ kind, time, bodyA, bodyB, joint, message: `friction of ${id}` })
  }
}

function reportLimits(context: RunContext, before: readonly TouchingLimit[]): void {
  const same = (a: TouchingLimit, b: TouchingLimit): boolean => a.joint === b.joint && a.coordinate === b.coordinate && a.side === b.side
  const held = (limit: TouchingLimit): boolean => limit.normal === 'holding'
  const event = (limit: TouchingLimit, message: string): void => {
    const { bodyA, bodyB, id } = limit.element.constraint
    const which = limit.side === 1 ? 'lower' : 'upper'
    context.environment.observer.event({ kind: 'limit', time: context.time, bodyA, bodyB, joint: limit.joint, message: `${id} ${message} its ${which} limit` })
  }
  for (const limit of context.limits) {
    if (!before.some(other => same(limit, other))) event(limit, 'reaches')
  }
  for (const limit of before) {
    if (!held(limit)) continue
    const now = context.limits.find(other => same(limit, other))
    if (now === undefined || !held(now)) event(limit, 'leaves')
  }
}
