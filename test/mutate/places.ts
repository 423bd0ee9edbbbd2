/** All places of a source text where a small fault can be inserted, with the fault. */
import ts from 'typescript'

/** One fault: the text from `start` to `end` becomes `text`. */
export interface Mutation {
  /** Path from the repository's root. */
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
  /** From 1. */
  readonly line: number
  /** An expression, or a whole statement. */
  readonly kind: 'expression' | 'statement'
}

/**
 * A comparison is inverted; `<` does not become `<=`, which makes no observable difference between two computed numbers.
 */
const OPPOSITES: Readonly<Record<string, string>> = {
  '+': '-', '-': '+', '*': '/', '/': '*', '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '&&': '||', '||': '&&',
  '<': '>=', '<=': '>', '>': '<=', '>=': '<', '===': '!==', '!==': '===',
}
const SWAPPED_CALLS: Readonly<Record<string, string>> = {
  'Math.min': 'Math.max', 'Math.max': 'Math.min', 'add': 'sub', 'sub': 'add', 'rotate': 'rotateInverse', 'rotateInverse': 'rotate',
}

export function mutationsOf(file: string, source: string): Mutation[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: Mutation[] = []
  const put = (node: ts.Node, text: string, kind: Mutation['kind'] = 'expression'): void => {
    if (kind === 'expression' && ts.isExpressionStatement(statementOf(node)) && statementOf(node).getStart(tree) === node.getStart(tree)) return
    const start = node.getStart(tree)
    found.push({ file, start, end: node.getEnd(), text, line: tree.getLineAndCharacterOfPosition(start).line + 1, kind })
  }
  const visit = (node: ts.Node, inFunction: boolean): void => {
    // Excluded: texts of errors, and constants outside functions, whose values have their own tests or cannot be tested exactly.
    if (ts.isThrowStatement(node) || ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    if (inFunction) mutate(node, tree, put)
    ts.forEachChild(node, child => { visit(child, inFunction || ts.isFunctionLike(node)) })
  }
  visit(tree, false)
  return found
}

function mutate(node: ts.Node, tree: ts.SourceFile, put: (node: ts.Node, text: string, kind?: Mutation['kind']) => void): void {
  const text = (part: ts.Node): string => part.getText(tree)
  if (ts.isBinaryExpression(node)) {
    const operator = text(node.operatorToken)
    const opposite = OPPOSITES[operator]
    if (opposite === undefined || isText(node.left) || isText(node.right)) return
    put(node, `${text(node.left)} ${opposite} (${text(node.right)})`)
    if (operator === '+' || operator === '-') put(node, text(node.left))
  } else if (ts.isPrefixUnaryExpression(node) && (node.operator === ts.SyntaxKind.MinusToken || node.operator === ts.SyntaxKind.ExclamationToken)) {
    put(node, text(node.operand))
  } else if (ts.isCallExpression(node)) {
    const name = SWAPPED_CALLS[text(node.expression)]
    if (name !== undefined && node.arguments.length > 1 && imported(tree, name)) put(node, text(node).replace(text(node.expression), name))
    if (text(node.expression) === 'cross') put(node, `cross(${text(node.arguments[1]!)}, ${text(node.arguments[0]!)})`)
  } else if (ts.isExpressionStatement(node)) {
    put(node, ';', 'statement')
  } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition
    if (!ts.isBinaryExpression(condition) && !ts.isPrefixUnaryExpression(condition)) put(condition, `!(${text(condition)})`)
  }
}

/** Whether a function can stand in for another in this file. */
function imported(tree: ts.SourceFile, name: string): boolean {
  return name.startsWith('Math.') || tree.statements.some(each => ts.isImportDeclaration(each) && new RegExp(`\\b${name}\\b`).test(each.importClause?.getText(tree) ?? ''))
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

function statementOf(node: ts.Node): ts.Node {
  let above = node
  while (!ts.isStatement(above) && above.parent) above = above.parent
  return above
}
