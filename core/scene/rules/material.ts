import { elementById } from '../ids'
import { combineMaterials } from '../materials'
import type { Path } from '../path'
import type { Material, MaterialPair } from '../types'
import { requireReference, type RuleContext } from './context'

export function checkMaterial({ list }: RuleContext, material: Material, path: Path): void {
  const { friction } = material
  if (!friction || friction.dynamic <= friction.static) return
  list.report('InvalidFriction', [...path, 'friction', 'dynamic'],
    `The dynamic friction of "${material.id}" exceeds the static one, ${friction.static}: creeping contacts are held by ${friction.dynamic}, which therefore applies at rest too`, {
      value: friction.dynamic, allowed: `a number from 0 to ${friction.static}`, ids: [material.id], severity: 'warning',
    })
}

/** Missing coefficients of the pair are those of the combination. */
export function checkPair(context: RuleContext, pair: MaterialPair, path: Path): void {
  const { scene, list } = context
  const [a, b] = pair.materials
  requireReference(context, 'materials', a, [...path, 'materials', 0])
  requireReference(context, 'materials', b, [...path, 'materials', 1])
  const first = elementById(scene, 'materials', a)
  const second = elementById(scene, 'materials', b)
  if (!first || !second) return
  const { static: bound, dynamic } = combineMaterials(first, second, pair)
  // Differences up to the rounding of the two means are accepted.
  if (dynamic <= bound * (1 + 1e-12)) return
  list.report('InvalidFriction', [...path, 'friction', pair.friction?.dynamic === undefined ? 'static' : 'dynamic'],
    `Between "${a}" and "${b}" the dynamic friction ${dynamic} exceeds the static one, ${bound}: creeping contacts are held by ${dynamic}, which therefore applies at rest too`, {
      value: pair.friction, allowed: 'dynamic ≤ static, absent coefficients being the means of the two materials\'', ids: [a, b], severity: 'warning',
    })
}

/** Pairs given twice, in whatever order. */
export function checkPairsUnique({ scene, list }: RuleContext): void {
  const seen = new Map<string, number>()
  scene.materialPairs?.forEach(({ materials: [a, b] }, i) => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`
    const before = seen.get(key)
    if (before === undefined) {
      seen.set(key, i)
      return
    }
    list.report('DuplicatePair', ['materialPairs', i, 'materials'], `materialPairs[${before}] already defines the pair of "${a}" and "${b}"`, {
      value: [a, b], allowed: 'one entry for two materials', ids: [a, b],
    })
  })
}
