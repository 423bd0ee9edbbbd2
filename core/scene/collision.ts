import { ALL_GROUPS } from './schema/body'
import type { Body } from './types'

/** Whether the groups of two bodies, and what each of them excepts, let them touch; their joints may say otherwise. */
export function letTouch(a: Body, b: Body): boolean {
  const { groups: g = 1, mask: m = ALL_GROUPS, except: some = [] } = a.collision ?? {}
  const { groups: h = 1, mask: n = ALL_GROUPS, except: others = [] } = b.collision ?? {}
  return ((g & n) | (h & m)) !== 0 && !some.includes(b.id) && !others.includes(a.id)
}
