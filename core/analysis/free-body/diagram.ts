/**
 * A free-body diagram as numbers: all loads on a body in one recorded frame, each at a point of its line of action, with a symbol.
 *
 *   Σ F = m a,   Σ M = L̇ about the centre of mass
 *
 * It is the force balance (`force-balance.ts`), with separate normal and friction forces of contacts.
 */

import { add, cross, length, lengthSquared, negate, scale, sub, ZERO, type Vec3 } from '../../math/vector'
import { centerOf, forceBalance, vectorAt, type ForceSource, type RecordedFrame, type Wrench } from '../force-balance'

export type DiagramKind = 'gravity' | 'normal' | 'friction' | 'joint' | 'force' | 'couple'

export interface DiagramForce {
  readonly kind: DiagramKind
  /** A letter and a number; the number is empty if the symbol is unique. */
  readonly letter: string
  readonly number: string
  /** Display name of the source. */
  readonly source: string
  /** N, world. */
  readonly force: Vec3
  /** m, world: point of application in the drawing. */
  readonly point: Vec3
  /** N m: additional pure torque: motors, torsional friction. */
  readonly couple: Vec3
  /** N m, about the centre of mass. */
  readonly moment: Vec3
}

export interface FreeBody {
  /** s */
  readonly time: number
  /** m, world. */
  readonly center: Vec3
  readonly forces: readonly DiagramForce[]
  readonly sum: Wrench
  /** m a and L̇; null for a body whose motion is prescribed. */
  readonly rate: Wrench | null
  /** N and N m: |Σ F − m a| and |Σ M − L̇|; 0 if the motion is prescribed. */
  readonly residual: { readonly force: number; readonly moment: number }
  /** Number of sources without a load in this frame, except for rounding. */
  readonly omitted: number
}

export interface DiagramOptions {
  /** Each contact point separately, or all contacts of a pair of bodies as one force at its centre of pressure. */
  readonly contacts: 'points' | 'resultant'
}

/** Forces below this fraction of the largest force are rounding errors. */
const ROUNDING = 1e-12

/**
 * @param nameOf display name of a source
 * @returns null while the body does not exist
 */
export function freeBody(
  recorded: RecordedFrame, body: number, nameOf: (source: ForceSource) => string, { contacts }: DiagramOptions,
): FreeBody | null {
  const balance = forceBalance(recorded, body)
  if (balance === null) return null
  const center = centerOf(recorded, body)
  const touching = balance.entries.filter(({ kind }) => kind === 'contact')
  const others = balance.entries.filter(({ kind }) => kind !== 'contact')
  const found: Found[] = others.map(entry => {
    const point = entry.kind === 'gravity' ? center : entry.kind === 'joint' ? vectorAt(recorded.joints.anchor, 3 * entry.index) : onLine(entry, center)
    const kind = entry.kind === 'gravity' || entry.kind === 'joint' ? entry.kind : 'force'
    return { kind, group: null, source: nameOf(entry), point, force: entry.force, torque: entry.torque }
  })
  const groups = contacts === 'points' ? touching.map(entry => [entry]) : byOther(touching, recorded)
  groups.forEach((group, k) => {
    const source = nameOf(group[0]!)
    const indices = group.map(({ index }) => index)
    for (const kind of ['normal', 'friction'] as const) found.push({ kind, group: k, source, ...contactForce(recorded, indices, body, kind, center) })
  })
  const largest = Math.max(...found.map(({ force }) => length(force)), 0)
  const turning = Math.max(...found.map(({ torque }) => length(torque)), 0)
  const acting = found.filter(({ force, torque }) => length(force) > ROUNDING * largest || length(torque) > ROUNDING * turning)
  const { sum, rate } = balance
  const residual = rate ? { force: length(sub(sum.force, rate.force)), moment: length(sub(sum.torque, rate.torque)) } : { force: 0, moment: 0 }
  return { time: recorded.frame.time, center, forces: named(acting, largest, center), sum, rate, residual, omitted: found.length - acting.length }
}

interface Found extends Wrench {
  readonly kind: DiagramKind
  /** For contacts: normal force and friction share one number. */
  readonly group: number | null
  readonly source: string
  readonly point: Vec3
}

/** The point of the line of action nearest to the centre of mass; the centre itself without a force. */
function onLine({ force, torque }: Wrench, center: Vec3): Vec3 {
  const square = lengthSquared(force)
  return square === 0 ? center : add(center, scale(cross(force, torque), 1 / square))
}

/** Contacts grouped by the other body, in the order of the first of each group. */
function byOther<T extends ForceSource>(touching: readonly T[], { contacts }: RecordedFrame): T[][] {
  const groups = new Map<string, T[]>()
  for (const entry of touching) {
    const key = `${contacts.bodyA[entry.index]!} ${contacts.bodyB[entry.index]!}`
    const group = groups.get(key)
    if (group) group.push(entry)
    else groups.set(key, [entry])
  }
  return [...groups.values()]
}

/** The normal forces, or the friction, of some contacts, at the centre of pressure of their normal forces. */
function contactForce(
  { contacts }: RecordedFrame, indices: readonly number[], body: number, kind: 'normal' | 'friction', center: Vec3,
): Wrench & { readonly point: Vec3 } {
  let [force, torque, weighted, pressure]: [Vec3, Vec3, Vec3, number] = [ZERO, ZERO, ZERO, 0]
  for (const k of indices) {
    const side = contacts.bodyA[k] === body ? (v: Vec3) => v : negate
    const point = vectorAt(contacts.point, 3 * k)
    const own = side(kind === 'normal' ? scale(vectorAt(contacts.normal, 3 * k), contacts.normalForce[k]!) : vectorAt(contacts.frictionForce, 3 * k))
    force = add(force, own)
    torque = add(torque, cross(sub(point, center), own))
    if (kind === 'friction') torque = add(torque, side(vectorAt(contacts.frictionTorque, 3 * k)))
    weighted = add(weighted, scale(point, contacts.normalForce[k]!))
    pressure += contacts.normalForce[k]!
  }
  return { force, torque, point: pressure > 0 ? scale(weighted, 1 / pressure) : vectorAt(contacts.point, 3 * indices[0]!) }
}

const LETTERS: Readonly<Record<DiagramKind, string>> = { gravity: 'W', normal: 'N', friction: 'F', joint: 'R', force: 'P', couple: 'M' }

/** Assigns symbols, with numbers in the order of the sources; loads without a force become pure moments. */
function named(acting: readonly Found[], largest: number, center: Vec3): DiagramForce[] {
  const all = acting.map(one => {
    const couple = sub(one.torque, cross(sub(one.point, center), one.force))
    const only = one.kind !== 'gravity' && length(one.force) <= ROUNDING * largest
    return { ...one, couple, kind: only ? 'couple' as const : one.kind }
  })
  const groups = [...new Set(all.flatMap(({ group }) => group ?? []))]
  const counts = new Map<DiagramKind, number>()
  return all.map(({ kind, group, source, force, point, couple, torque }) => {
    const place = (counts.get(kind) ?? 0) + 1
    counts.set(kind, place)
    const several = group === null || kind === 'couple' ? all.filter(other => other.kind === kind).length > 1 : groups.length > 1
    const number = !several ? '' : String(group === null || kind === 'couple' ? place : groups.indexOf(group) + 1)
    return { kind, letter: LETTERS[kind], number, source, force, point, couple, moment: torque }
  })
}
