/**
 * Removes the types from a script: each is overwritten with spaces, so that all lines and columns stay the same. If the rest would be parsed
 * differently, a semicolon or a parenthesis replaces a space, as in ts-blank-space. `differenceOf` verifies that the result is the same
 * program.
 */
import type * as Babel from '@babel/types'
import { children, type Node, type ParsedScript, type Token } from './script-syntax'

type Member = Babel.ClassMethod | Babel.ClassPrivateMethod | Babel.ClassProperty | Babel.ClassPrivateProperty | Babel.ClassAccessorProperty

/** Calls `fail` for syntax that TypeScript compiles to code, and that therefore cannot be blanked. */
export function blankTypes(source: string, { program, tokens }: ParsedScript, fail: (node: Node) => never): { code: string; erased: ReadonlySet<Node> } {
  const text = source.split('')
  const erased = new Set<Node>()

  function blank(start: number, end: number, first = ' '): void {
    for (let i = start; i < end; i++) if (!/[\n\r\u2028\u2029]/.test(text[i]!)) text[i] = ' '
    if (first !== ' ') text[start] = first
  }

  /** Index of the first token at or after an offset. */
  function tokenFrom(offset: number): number {
    let [low, high] = [0, tokens.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (tokens[middle]!.start < offset) low = middle + 1
      else high = middle
    }
    return low
  }
  const textOf = (token: Token | undefined) => token === undefined ? '' : source.slice(token.start, token.end)
  const before = (offset: number): Token => tokens[tokenFrom(offset) - 1]!
  const after = (offset: number): Token | undefined => tokens[tokenFrom(offset)]

  /** A statement or class member that consists of types only. If the code before it ends without a semicolon, one is inserted. */
  function erase(node: Node): void {
    erased.add(node)
    blank(node.start!, node.end!, ';')
  }

  /** An element of a list, with the comma after it. */
  function eraseListed(node: Node): void {
    erased.add(node)
    const comma = after(node.end!)
    blank(node.start!, textOf(comma) === ',' ? comma!.end : node.end!)
  }

  const blankNode = (node: Node | null | undefined): void => {
    if (node) blank(node.start!, node.end!)
  }

  /** `name?: T`, `name!: T` and `name?`, after the name's last token. */
  function blankMarkAndType(nameEnd: number, type: Node | null | undefined): void {
    const mark = after(nameEnd)
    if (textOf(mark) === '?' || textOf(mark) === '!') blank(mark!.start, mark!.end)
    blankNode(type)
  }
  const spansLines = (start: number, end: number) => /[\n\r\u2028\u2029]/.test(source.slice(start, end))

  function visitPattern(node: Node): void {
    if (!('typeAnnotation' in node) && !('optional' in node)) return
    const { typeAnnotation, optional } = node as Babel.Identifier
    if (optional) blank(...spanOf(typeAnnotation ? before(typeAnnotation.start!) : before(node.end!)))
    blankNode(typeAnnotation)
  }
  const spanOf = (token: Token): [number, number] => [token.start, token.end]

  function visitFunction(node: Babel.Function): void {
    const { typeParameters, returnType } = node
    const isArrow = node.type === 'ArrowFunctionExpression'
    if (typeParameters) {
      // `return <` may continue on the next line, but `return` may not: a parenthesis replaces the bracket.
      const open = after(typeParameters.end!)!
      const moved = isArrow && spansLines(typeParameters.start!, open.start)
      blank(typeParameters.start!, typeParameters.end!, moved ? '(' : ' ')
      if (moved) blank(open.start, open.end)
    }
    const [first] = node.params
    if (first?.type === 'Identifier' && first.name === 'this') eraseListed(first)
    if (!returnType) return
    const close = before(returnType.start!)
    if (isArrow && spansLines(close.start, after(returnType.end!)!.start)) {
      // There may be no line break before the arrow: the parenthesis is placed at the end of the type.
      blank(close.start, returnType.end!)
      text[returnType.end! - 1] = ')'
    } else {
      blankNode(returnType)
    }
  }

  const memberModifiers = new Set(['public', 'protected', 'private', 'readonly', 'override', 'abstract', 'declare'])

  /** A semicolon replaces the first modifier: otherwise `*`, `[` and `(` would continue the field before. */
  function blankModifiers(member: Node, keyStart: number): void {
    const decorators = (member as Babel.ClassMethod).decorators ?? []
    const begin = tokenFrom(decorators.at(-1)?.end ?? member.start!)
    for (let i = begin; i < tokens.length && tokens[i]!.start < keyStart; i++) {
      if (memberModifiers.has(textOf(tokens[i]))) blank(...spanOf(tokens[i]!), i === begin && decorators.length === 0 ? ';' : ' ')
    }
  }

  function visitMember(node: Member): void {
    const { key } = node
    const computed = 'computed' in node && node.computed === true
    blankModifiers(node, computed ? before(key.start!).start : key.start!)
    const nameEnd = computed ? after(key.end!)!.end : key.end!
    const type = 'typeAnnotation' in node ? node.typeAnnotation : null
    blankMarkAndType(nameEnd, type)
  }

  function visitClass(node: Babel.Class): void {
    blankNode(node.typeParameters)
    blankNode(node.superTypeParameters)
    const head = node.superTypeParameters?.end ?? node.superClass?.end ?? node.typeParameters?.end ?? node.id?.end ?? node.start!
    if (node.implements?.length) {
      const keyword = tokens.slice(tokenFrom(head)).find(token => textOf(token) === 'implements')!
      blank(keyword.start, node.implements.at(-1)!.end!)
    }
    if (node.type === 'ClassDeclaration' && node.abstract) {
      const keyword = tokens.slice(tokenFrom(node.decorators?.at(-1)?.end ?? node.start!)).find(token => textOf(token) === 'abstract')!
      blank(...spanOf(keyword))
    }
  }

  /** `expression as T` and `expression satisfies T`. Without the type, the statement might no longer end with its line. */
  function visitAssertion(node: Babel.TSAsExpression | Babel.TSSatisfiesExpression, statementEnd: number): void {
    const keyword = after(node.expression.end!)!
    const ends = node.end === statementEnd && source[statementEnd - 1] !== ';'
    blank(keyword.start, node.end!, ends ? ';' : ' ')
  }

  function visit(node: Node, statementEnd: number): void {
    if (isTypeOnly(node)) return erase(node)
    switch (node.type) {
      case 'TSEnumDeclaration': case 'TSModuleDeclaration': case 'TSParameterProperty': case 'TSImportEqualsDeclaration': case 'TSExportAssignment':
      case 'TSNamespaceExportDeclaration': return fail(node)
      case 'FunctionDeclaration': case 'FunctionExpression': case 'ArrowFunctionExpression': case 'ObjectMethod': visitFunction(node); break
      case 'ClassMethod': case 'ClassPrivateMethod': visitMember(node); visitFunction(node); break
      case 'ClassProperty': case 'ClassPrivateProperty': case 'ClassAccessorProperty': visitMember(node); break
      case 'ClassDeclaration': case 'ClassExpression': visitClass(node); break
      case 'VariableDeclarator': if (node.definite) blank(...spanOf(before((node.id as Babel.Identifier).typeAnnotation!.start!))); break
      case 'CallExpression': case 'OptionalCallExpression': case 'NewExpression': case 'TaggedTemplateExpression': case 'TSInstantiationExpression':
        blankNode(node.typeParameters); break
      case 'ImportSpecifier': if (node.importKind === 'type') return eraseListed(node); break
      case 'ExportSpecifier': if (node.exportKind === 'type') return eraseListed(node); break
      case 'TSAsExpression': case 'TSSatisfiesExpression': visitAssertion(node, statementEnd); return visit(node.expression, statementEnd)
      case 'TSNonNullExpression': blank(node.end! - 1, node.end!); break
      case 'TSTypeAssertion': blank(node.start!, node.expression.start!); return visit(node.expression, statementEnd)
      case 'Identifier': case 'ObjectPattern': case 'ArrayPattern': case 'AssignmentPattern': case 'RestElement': visitPattern(node); break
    }
    for (const child of children(node)) {
      if (isType(child) || erased.has(child)) continue
      visit(child, isStatementLike(child) ? child.end! : statementEnd)
    }
  }

  visit(program, program.end!)
  return { code: text.join(''), erased }
}

/** TypeScript nodes that are statements, members or expressions. All others are types, blanked with their parents. */
const notTypes = new Set([
  'TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSInstantiationExpression', 'TSTypeAssertion', 'TSParameterProperty', 'TSIndexSignature',
  'TSDeclareFunction', 'TSDeclareMethod', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'TSModuleDeclaration',
  'TSImportEqualsDeclaration', 'TSExportAssignment', 'TSNamespaceExportDeclaration',
])

function isType(node: Node): boolean {
  return node.type.startsWith('TS') && !notTypes.has(node.type)
}

/** Whether a node may end at a line break without a semicolon. */
function isStatementLike(node: Node): boolean {
  return /(?:Statement|Declaration)$|^Class(?:Accessor|Private)?Property$/.test(node.type)
}

/** Statements and class members that are removed entirely. */
function isTypeOnly(node: Node): boolean {
  switch (node.type) {
    case 'TSInterfaceDeclaration': case 'TSTypeAliasDeclaration': case 'TSDeclareFunction': case 'TSDeclareMethod': case 'TSIndexSignature': return true
    case 'ImportDeclaration': return node.importKind === 'type'
    case 'ExportAllDeclaration': return node.exportKind === 'type'
    case 'ExportNamedDeclaration': return node.exportKind === 'type' || (node.declaration ? isTypeOnly(node.declaration) : false)
    case 'ExportDefaultDeclaration': return isTypeOnly(node.declaration)
    case 'VariableDeclaration': case 'TSEnumDeclaration': case 'ClassDeclaration': return node.declare === true
    case 'TSModuleDeclaration': return node.declare === true || node.global === true || node.id.type === 'StringLiteral' || !hasValues(node.body)
    case 'ClassProperty': case 'ClassAccessorProperty': return node.declare === true || ('abstract' in node && node.abstract === true)
    default: return false
  }
}

/** Whether a namespace contains code that runs. */
function hasValues(body: Babel.TSModuleBlock | Babel.TSModuleDeclaration): boolean {
  return body.type === 'TSModuleDeclaration' ? !isTypeOnly(body) : body.body.some(statement => statement.type !== 'TSImportEqualsDeclaration' ? !isTypeOnly(statement) : statement.isExport)
}
