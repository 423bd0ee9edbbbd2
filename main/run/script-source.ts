/**
 * From a script's TypeScript to the JavaScript module that the sandbox runs: types are blanked, so every line and column stays where it
 * was, and what could not run there or could not be repeated is refused with its place.
 */
import ts from 'typescript'
import { blankSourceFile } from 'ts-blank-space'
import { ScriptError } from '../../core/dynamics/script-runtime'

/** Name of the export, added behind the last line, that gives what the module keeps between calls: `[name, value][]`. */
export const stateExport = '$cairnModuleState'

/** Bytes of UTF-8 of one script, as the scene format allows. */
const maxBytes = 256 * 1024

/** @throws ScriptError, fault `compile`, with line and column */
export function compileScript(id: string, source: string): string {
  if (new TextEncoder().encode(source).length > maxBytes) throw new ScriptError('The script is larger than 256 KiB.', id, 0, 0, 'compile')
  try {
    return blanked(id, source)
  } catch (error) {
    // The compiler calls itself for every level of nesting, and says no more than that its stack is at an end.
    if (!(error instanceof RangeError)) throw error
    throw new ScriptError('The script is nested too deeply to be read.', id, 0, 0, 'compile')
  }
}

function blanked(id: string, source: string): string {
  const file = ts.createSourceFile(id.endsWith('.ts') ? id : `${id}.ts`, source, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS)
  const fail = (position: number, message: string): never => {
    const { line, character } = file.getLineAndCharacterOfPosition(position)
    throw new ScriptError(message, id, line + 1, character + 1, 'compile')
  }
  const [syntax] = parseDiagnostics(file)
  if (syntax) fail(syntax.start ?? 0, ts.flattenDiagnosticMessageText(syntax.messageText, '\n'))
  refuseUnrunnable(file, fail)
  const names = moduleBindings(file)
  refuseAssignments(file, new Set(names), fail)
  const script = blankSourceFile(file, node => fail(node.getStart(file), 'This TypeScript makes code of its own (enum, namespace, parameter property): write it as JavaScript.'))
  return `${script}\n;export const ${stateExport} = () => [${names.map(name => `['${name}', ${name}]`).join(', ')}]`
}

/** The parser's own findings; TypeScript keeps the property out of its public types. */
function parseDiagnostics(file: ts.SourceFile): readonly ts.Diagnostic[] {
  return (file as unknown as { parseDiagnostics: readonly ts.Diagnostic[] }).parseDiagnostics
}

function refuseUnrunnable(file: ts.SourceFile, fail: (position: number, message: string) => never): void {
  const typeOnly = (node: ts.ImportDeclaration) => node.importClause?.isTypeOnly === true
  const visit = (node: ts.Node, inFunction: boolean): void => {
    const start = () => node.getStart(file)
    if (ts.isImportDeclaration(node) && !typeOnly(node)) fail(start(), 'A script cannot import anything.')
    if (ts.isImportEqualsDeclaration(node) || node.kind === ts.SyntaxKind.ImportKeyword) fail(start(), 'A script cannot import anything.')
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && !node.isTypeOnly) fail(start(), 'A script cannot import anything.')
    if (!inFunction && (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier))) {
      fail(start(), 'A script cannot wait.')
    }
    if (ts.isImportDeclaration(node)) return
    const inner = inFunction || ts.isFunctionLike(node)
    ts.forEachChild(node, child => visit(child, inner))
  }
  visit(file, false)
}

/** Names of values that live as long as the module, in order. */
function moduleBindings(file: ts.SourceFile): string[] {
  return file.statements.flatMap(statement => {
    if (hasModifier(statement, ts.SyntaxKind.DeclareKeyword)) return []
    return declaredBy(statement)
  })
}

function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(modifier => modifier.kind === kind) ?? false)
}

function declaredBy(statement: ts.Node): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(declaration => namesOf(declaration.name))
  if (ts.isFunctionDeclaration(statement) && !statement.body) return [] // an overload's signature
  if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name) return [statement.name.text]
  return []
}

function namesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap(element => (ts.isOmittedExpression(element) ? [] : namesOf(element.name)))
}

/** What the module keeps is fixed once it is loaded: no function may assign to its variables. */
function refuseAssignments(file: ts.SourceFile, kept: ReadonlySet<string>, fail: (position: number, message: string) => never): void {
  const visit = (node: ts.Node, visible: ReadonlySet<string>, inFunction: boolean): void => {
    let now = visible
    if (ts.isFunctionLike(node) || ts.isBlock(node) || ts.isForStatement(node) || ts.isForOfStatement(node) || ts.isForInStatement(node) ||
        ts.isCatchClause(node) || ts.isCaseBlock(node)) {
      const own = localNames(node)
      if (own.length > 0) now = new Set([...visible].filter(name => !own.includes(name)))
    }
    if (inFunction) {
      for (const target of assignedBy(node)) {
        if (now.has(target.text)) {
          fail(target.getStart(file), `"${target.text}" is kept between calls and cannot change: forces may depend on time and state alone.`)
        }
      }
    }
    const inner = inFunction || ts.isFunctionLike(node)
    ts.forEachChild(node, child => visit(child, now, inner))
  }
  visit(file, kept, false)
}

/** Names that a function, block or loop declares for itself; `var` is counted for the whole function. */
function localNames(scope: ts.Node): string[] {
  const names: string[] = []
  if (ts.isFunctionLike(scope)) {
    for (const parameter of scope.parameters) names.push(...namesOf(parameter.name))
    const collect = (node: ts.Node): void => {
      if (node !== scope && ts.isFunctionLike(node)) return
      if (ts.isVariableDeclarationList(node) && !(node.flags & ts.NodeFlags.BlockScoped)) {
        for (const declaration of node.declarations) names.push(...namesOf(declaration.name))
      }
      ts.forEachChild(node, collect)
    }
    collect(scope)
  }
  if (ts.isCatchClause(scope) && scope.variableDeclaration) names.push(...namesOf(scope.variableDeclaration.name))
  ts.forEachChild(scope, child => {
    names.push(...declaredBy(child))
    if (ts.isVariableDeclarationList(child)) for (const declaration of child.declarations) names.push(...namesOf(declaration.name))
    if (ts.isCaseClause(child) || ts.isDefaultClause(child)) for (const statement of child.statements) names.push(...declaredBy(statement))
  })
  return names
}

const isAssignment = (kind: ts.SyntaxKind) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

/** Identifiers that a node assigns to. */
function assignedBy(node: ts.Node): ts.Identifier[] {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return targetsOf(node.left)
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken ? targetsOf(node.operand) : []
  }
  if (!ts.isForOfStatement(node) && !ts.isForInStatement(node)) return []
  return ts.isVariableDeclarationList(node.initializer) ? [] : targetsOf(node.initializer)
}

function targetsOf(node: ts.Node): ts.Identifier[] {
  if (ts.isIdentifier(node)) return [node]
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) return targetsOf(node.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(targetsOf)
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) return targetsOf(node.expression)
  if (ts.isShorthandPropertyAssignment(node)) return [node.name]
  if (ts.isPropertyAssignment(node)) return targetsOf(node.initializer)
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap(targetsOf)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) return targetsOf(node.left)
  return []
}
