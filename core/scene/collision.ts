import { ALL_GROUPS } from './schema/body'
import type { Body } from './types'

/** Whether two bodies may touch according to their groups and their exceptions; their joints may forbid it. */
export function mayTouch(a: Body, b: Body): boolean {
  const { groups: g = 1, mask: m = ALL_GROUPS, except: some = [] } = a.collision ?? {}
  const { groups: h = 1, mask: n = ALL_GROUPS, except: others = [] } = b.collision ?? {}
  return ((g & n) | (h & m)) !== 0 && !some.includes(b.id) && !others.includes(a.id)
}
