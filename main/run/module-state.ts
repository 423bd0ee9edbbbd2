/**
 * Finds the state that a script's module keeps between calls, and refuses functions that assign to it: forces may depend on time and state
 * alone.
 */
import type * as Babel from '@babel/types'
import { children, isFunctionLike, type Node } from './script-syntax'

/** Names of module-level variables, in order. */
export function moduleBindings(program: Babel.Program): string[] {
  return program.body.flatMap(statement => {
    const declaration = declarationOf(statement)
    return 'declare' in declaration && declaration.declare ? [] : declaredBy(declaration)
  })
}

function declarationOf(statement: Node): Node {
  return (statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration') && statement.declaration ? statement.declaration : statement
}

function declaredBy(statement: Node): string[] {
  if (statement.type === 'VariableDeclaration') return statement.declarations.flatMap(declaration => namesOf(declaration.id))
  return (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id ? [statement.id.name] : []
}

/** Names bound by a pattern or parameter. */
function namesOf(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier': return [pattern.name]
    case 'ArrayPattern': return pattern.elements.flatMap(element => (element ? namesOf(element) : []))
    case 'ObjectPattern': return pattern.properties.flatMap(property => namesOf(property.type === 'ObjectProperty' ? property.value : property))
    case 'AssignmentPattern': return namesOf(pattern.left)
    case 'RestElement': return namesOf(pattern.argument)
    case 'TSParameterProperty': return namesOf(pattern.parameter)
    default: return []
  }
}

/** Refuses assignments to module-level variables in functions: they are constant once the module is loaded. */
export function refuseAssignments(program: Node, kept: ReadonlySet<string>, fail: (node: Node, message: string) => never): void {
  const visit = (node: Node, visible: ReadonlySet<string>, inFunction: boolean): void => {
    if (inFunction) {
      for (const target of assignedBy(node)) {
        if (visible.has(target.name)) fail(target, `"${target.name}" is kept between calls and cannot change: forces may depend on time and state alone.`)
      }
    }
    const inner = inFunction || isFunctionLike(node)
    const now = without(visible, localNames(node))
    const inBody = isFunctionLike(node) ? without(now, variablesBelow(node.body)) : now
    for (const child of children(node)) visit(child, isOutside(child, node) ? visible : isFunctionLike(node) && child === node.body ? inBody : now, inner)
  }
  visit(program, kept, false)
}

const without = (names: ReadonlySet<string>, hidden: readonly string[]): ReadonlySet<string> =>
  hidden.length > 0 ? new Set([...names].filter(name => !hidden.includes(name))) : names

/** Names declared by a function's parameters, a block or a loop. */
function localNames(scope: Node): string[] {
  if (isFunctionLike(scope)) return scope.params.flatMap(namesOf)
  switch (scope.type) {
    case 'BlockStatement': case 'StaticBlock': return scope.body.flatMap(declaredBy)
    case 'ForStatement': return scope.init ? declaredBy(scope.init) : []
    case 'ForOfStatement': case 'ForInStatement': return declaredBy(scope.left)
    case 'CatchClause': return scope.param ? namesOf(scope.param) : []
    case 'SwitchStatement': return scope.cases.flatMap(one => one.consequent.flatMap(declaredBy))
    default: return []
  }
}

/** Child nodes that do not see their scope's names: a method's computed name, the expression of a `switch`. */
function isOutside(child: Node, scope: Node): boolean {
  return ('key' in scope && child === scope.key) || (scope.type === 'SwitchStatement' && child === scope.discriminant)
}

/** Names of `var` declarations, which are visible in the whole function. */
function variablesBelow(node: Node): string[] {
  if (isFunctionLike(node)) return []
  return [...node.type === 'VariableDeclaration' && node.kind === 'var' ? declaredBy(node) : [], ...children(node).flatMap(variablesBelow)]
}

/** Identifiers that a node assigns to. */
function assignedBy(node: Node): Babel.Identifier[] {
  switch (node.type) {
    case 'AssignmentExpression': return targetsOf(node.left)
    case 'UpdateExpression': return targetsOf(node.argument)
    case 'ForOfStatement': case 'ForInStatement': return node.left.type === 'VariableDeclaration' ? [] : targetsOf(node.left)
    default: return []
  }
}

function targetsOf(node: Node): Babel.Identifier[] {
  switch (node.type) {
    case 'Identifier': return [node]
    case 'ParenthesizedExpression': case 'TSNonNullExpression': case 'TSAsExpression': case 'TSSatisfiesExpression': case 'TSTypeAssertion':
      return targetsOf(node.expression)
    case 'ArrayPattern': return node.elements.flatMap(element => (element ? targetsOf(element) : []))
    case 'ObjectPattern': return node.properties.flatMap(property => targetsOf(property.type === 'ObjectProperty' ? property.value : property))
    case 'AssignmentPattern': return targetsOf(node.left)
    case 'RestElement': return targetsOf(node.argument)
    default: return []
  }
}
