/**
 * Collision filtering in a form common to all formats: bodies are grouped into classes, with a table of the classes that touch each other. In the
 * scene a class is a bit, and its mask has the bits of the classes that it touches.
 */

import { ALL_GROUPS, type ResolvedScene } from '../../scene'
import type { SceneDraft } from './draft'

export interface CollisionClasses {
  /** Class of each body, in the order of the document. */
  readonly of: readonly number[]
  /** Symmetric; includes each class with itself. */
  readonly touch: readonly (readonly boolean[])[]
}

const MAX_CLASSES = 32

/**
 * Null if all bodies touch each other.
 * @param pairs whether bodies with pairwise exceptions get their own classes, for formats without pairwise exceptions
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

/** Pairs of bodies with a collision exception, each once. */
export function exceptedPairs(bodies: ResolvedScene['bodies']): (readonly [string, string])[] {
  const pairs = bodies.flatMap(({ id, collision }) => (collision?.except ?? []).map(other => id < other ? [id, other] as const : [other, id] as const))
  return [...new Map(pairs.map(pair => [pair.join(' '), pair])).values()]
}

/** Adds a collision exception for two bodies to the scene. */
export function exceptPair(draft: SceneDraft, one: string, other: string): void {
  const body = draft.bodies.find(({ id }) => id === one)
  if (body === undefined || one === other) return
  const { except = [] } = body.collision ?? {}
  if (!except.includes(other)) body.collision = { ...body.collision, except: [...except, other] }
}

/** The bit of a class, as an unsigned 32-bit number. */
export const bitOf = (one: number): number => (1 << one) >>> 0

/** The bits of the classes that a class touches, possibly including its own. */
export function maskOf({ touch }: CollisionClasses, one: number): number {
  return touch[one]!.reduce((mask, touches, k) => touches ? mask + bitOf(k) : mask, 0)
}

/** Merges classes that touch the same classes. */
function alikeAsOne({ of, touch }: CollisionClasses): CollisionClasses {
  const rows = touch.map(row => row.map(Number).join(''))
  const firsts = rows.map(row => rows.indexOf(row))
  const kept = [...new Set(firsts)]
  return { of: of.map(k => kept.indexOf(firsts[k]!)), touch: kept.map(k => kept.map(l => touch[k]![l]!)) }
}

/**
 * Sets the collision filters of the scene's bodies.
 * @param kindsOf kinds of the shapes of each body, as in the file
 * @param touches symmetric
 */
export function setCollision<K>(draft: SceneDraft, kindsOf: ReadonlyMap<string, ReadonlySet<K>>, touches: (a: K, b: K) => boolean): void {
  const kinds = [...new Set([...kindsOf.values()].flatMap(set => [...set]))]
  if (kinds.every(a => kinds.every(b => touches(a, b)))) return
  const keyOf = (set: ReadonlySet<K>): string => kinds.map(kind => set.has(kind) ? '1' : '0').join('')
  const sets = new Map([...kindsOf.values()].map(set => [keyOf(set), [...set]]))
  const lists = [...sets.values()]
  const mixed = lists.some(list => list.some(a => kinds.some(b => touches(a, b) !== touches(list[0]!, b))))
  if (mixed) draft.losses.add('bodies[].collision', 'Shapes of one body with different collision filters', 'a body that touches everything that any of its shapes touches')
  const bodies = draft.bodies.filter(({ id }) => kindsOf.has(id))
  const places = new Map([...sets.keys()].map((key, k) => [key, k]))
  const classes = alikeAsOne({
    of: bodies.map(({ id }) => places.get(keyOf(kindsOf.get(id)!))!),
    touch: lists.map(some => lists.map(others => some.some(a => others.some(b => touches(a, b))))),
  })
  if (classes.touch.length > MAX_CLASSES) {
    draft.losses.add('bodies[].collision', `${classes.touch.length} collision classes`, 'bodies that all touch each other')
    return
  }
  bodies.forEach((body, i) => { body.collision = { ...body.collision, groups: bitOf(classes.of[i]!), mask: maskOf(classes, classes.of[i]!) } })
}
