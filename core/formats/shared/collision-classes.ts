/**
 * Which bodies touch which, as every format says it in its own way: bodies of one class are alike, and for each two classes it is known whether they touch.
 * The scene says it by bits: a class has one for itself, and its mask has those of the classes that it touches.
 */

import { ALL_GROUPS, type ResolvedScene } from '../../scene'
import type { SceneDraft } from './draft'

export interface CollisionClasses {
  /** Class of each body, in the order of the document. */
  readonly of: readonly number[]
  /** Symmetric; of a class with itself too. */
  readonly touch: readonly (readonly boolean[])[]
}

const MOST_CLASSES = 32

/**
 * Null where all bodies touch each other.
 * @param pairs whether a body that another passes through is of a class of its own: for formats that do not say it of two bodies
 */
export function collisionClasses({ bodies }: ResolvedScene, pairs: boolean): CollisionClasses | null {
  const apart = new Map<string, Set<string>>()
  for (const [a, b] of pairs ? exceptedPairs(bodies) : []) {
    for (const [one, other] of [[a, b], [b, a]] as const) apart.set(one, (apart.get(one) ?? new Set<string>()).add(other))
  }
  const keys = bodies.map(({ id, collision: { groups, mask } = { groups: 1, mask: ALL_GROUPS } }) => `${groups} ${mask} ${apart.has(id) ? id : ''}`)
  const kinds = [...new Set(keys)].map(key => key.split(' ') as [string, string, string])
  const places = new Map(kinds.map((kind, k) => [kind.join(' '), k]))
  const meet = (g: string, n: string): boolean => (Number(g) & Number(n)) !== 0
  const touch = kinds.map(([g, m, a]) => kinds.map(([h, n, b]) => (meet(g, n) || meet(h, m)) && apart.get(a)?.has(b) !== true))
  return touch.every(row => row.every(Boolean)) ? null : alikeAsOne({ of: keys.map(key => places.get(key)!), touch })
}

/** The bodies of which one excepts the other, each two once. */
export function exceptedPairs(bodies: ResolvedScene['bodies']): (readonly [string, string])[] {
  const pairs = bodies.flatMap(({ id, collision }) => (collision?.except ?? []).map(other => id < other ? [id, other] as const : [other, id] as const))
  return [...new Map(pairs.map(pair => [pair.join(' '), pair])).values()]
}

/** Says in the scene that two bodies pass through each other. */
export function exceptPair(draft: SceneDraft, one: string, other: string): void {
  const body = draft.bodies.find(({ id }) => id === one)
  if (body === undefined || one === other) return
  const { except = [] } = body.collision ?? {}
  if (!except.includes(other)) body.collision = { ...body.collision, except: [...except, other] }
}

/** The bit of a class: of 32, the last of which is no negative number here. */
export const bitOf = (one: number): number => (1 << one) >>> 0

/** The bits of the classes that a class touches, itself perhaps among them. */
export function maskOf({ touch }: CollisionClasses, one: number): number {
  return touch[one]!.reduce((mask, touches, k) => touches ? mask + bitOf(k) : mask, 0)
}

/** Classes that touch the same ones are one. */
function alikeAsOne({ of, touch }: CollisionClasses): CollisionClasses {
  const rows = touch.map(row => row.map(Number).join(''))
  const firsts = rows.map(row => rows.indexOf(row))
  const kept = [...new Set(firsts)]
  return { of: of.map(k => kept.indexOf(firsts[k]!)), touch: kept.map(k => kept.map(l => touch[k]![l]!)) }
}

/**
 * Says in the scene which bodies touch which.
 * @param kindsOf of each body the kinds of its shapes, as the file has them
 * @param touches symmetric
 */
export function setCollision<K>(draft: SceneDraft, kindsOf: ReadonlyMap<string, ReadonlySet<K>>, touches: (a: K, b: K) => boolean): void {
  const kinds = [...new Set([...kindsOf.values()].flatMap(set => [...set]))]
  if (kinds.every(a => kinds.every(b => touches(a, b)))) return
  const keyOf = (set: ReadonlySet<K>): string => kinds.map(kind => set.has(kind) ? '1' : '0').join('')
  const sets = new Map([...kindsOf.values()].map(set => [keyOf(set), [...set]]))
  const lists = [...sets.values()]
  const mixed = lists.some(list => list.some(a => kinds.some(b => touches(a, b) !== touches(list[0]!, b))))
  if (mixed) draft.losses.add('bodies[].collision', 'Shapes of one body that touch different things.', 'a body that touches all that any of its shapes touches')
  const bodies = draft.bodies.filter(({ id }) => kindsOf.has(id))
  const places = new Map([...sets.keys()].map((key, k) => [key, k]))
  const classes = alikeAsOne({
    of: bodies.map(({ id }) => places.get(keyOf(kindsOf.get(id)!))!),
    touch: lists.map(some => lists.map(others => some.some(a => others.some(b => touches(a, b))))),
  })
  if (classes.touch.length > MOST_CLASSES) {
    draft.losses.add('bodies[].collision', `${classes.touch.length} kinds of bodies by what they touch.`, 'bodies that all touch each other')
    return
  }
  bodies.forEach((body, i) => { body.collision = { ...body.collision, groups: bitOf(classes.of[i]!), mask: maskOf(classes, classes.of[i]!) } })
}
