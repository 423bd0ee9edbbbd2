/** Verifies that a script without its types is the same program, by comparing both syntax trees. */
import type { Node } from './script-syntax'

/** The expression inside of type assertions. */
function withoutAssertions(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression': case 'TSSatisfiesExpression': case 'TSNonNullExpression': case 'TSInstantiationExpression': case 'TSTypeAssertion':
      return withoutAssertions(node.expression)
    default: return node
  }
}

/** Properties that do not affect the program: positions, notes of the parser, spelling of literals. */
const silent = new Set(['type', 'start', 'end', 'loc', 'extra', 'range', 'comments', 'tokens', 'errors'])

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const listed = (nodes: readonly (Node | null)[], erased: ReadonlySet<Node>) =>
  nodes.filter(node => node === null || (node.type !== 'EmptyStatement' && !erased.has(node)))

/**
 * The first TypeScript node that differs in the JavaScript; null if both programs are the same.
 * @param erased statements, members and parameters that consist of types only
 */
export function differenceOf(typed: Node, plain: Node, erased: ReadonlySet<Node>): Node | null {
  const bare = withoutAssertions(typed)
  if (bare.type !== plain.type) return bare
  for (const [key, right] of Object.entries(plain)) {
    if (silent.has(key)) continue
    const left = (bare as unknown as Record<string, unknown>)[key]
    if (Array.isArray(right)) {
      const [lefts, rights] = [listed(left as (Node | null)[], erased), listed(right as (Node | null)[], erased)]
      if (lefts.length !== rights.length) return lefts[rights.length] ?? bare
      for (const [i, item] of lefts.entries()) {
        const found = item === null || rights[i] === null ? (item === rights[i] ? null : item ?? bare) : differenceOf(item, rights[i]!, erased)
        if (found) return found
      }
    } else if (isNode(right)) {
      const found = isNode(left) ? differenceOf(left, right, erased) : bare
      if (found) return found
    } else if ((left ?? null) !== (right ?? null) && typeof right !== 'object') {
      return bare
    }
  }
  return null
}
