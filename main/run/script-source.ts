/**
 * Converts a script's TypeScript to the JavaScript module that the sandbox runs. Types are blanked, so lines and columns stay the same.
 * Code that cannot run there, or whose results could not be reproduced, is refused with its position.
 */
import { ScriptError } from '../../core/dynamics/script-runtime'
import { blankTypes } from './blank-types'
import { moduleBindings, refuseAssignments } from './module-state'
import { differenceOf } from './same-program'
import { children, isFunctionLike, isSyntaxFault, parseScript, refuse, syntaxMessage, type Node } from './script-syntax'

/** Name of the export, added after the last line, that returns the module's state: `[name, value][]`. */
export const stateExport = '$cairnModuleState'

/** Bytes of UTF-8 of one script, as the scene format allows. */
const maxBytes = 256 * 1024

/** @throws ScriptError, fault `compile`, with line and column */
export function compileScript(id: string, source: string): string {
  if (new TextEncoder().encode(source).length > maxBytes) throw new ScriptError('The script is larger than 256 KiB.', id, 0, 0, 'compile')
  try {
    return compiled(id, source)
  } catch (error) {
    if (isSyntaxFault(error)) throw new ScriptError(syntaxMessage(error), id, error.loc.line, error.loc.column + 1, 'compile')
    // The parser is recursive, and reports deep nesting only as a stack overflow.
    if (!(error instanceof RangeError)) throw error
    throw new ScriptError('The script is nested too deeply to be read.', id, 0, 0, 'compile')
  }
}

function compiled(id: string, source: string): string {
  const fail = (node: Node, message: string): never => refuse(id, node, message)
  const script = parseScript(source, 'typescript')
  refuseUnrunnable(script.program, fail)
  const names = moduleBindings(script.program)
  refuseAssignments(script.program, new Set(names), fail)
  const { code, erased } = blankTypes(source, script, node =>
    fail(node, 'This TypeScript makes code of its own (enum, namespace, parameter property): write it as JavaScript.'))
  const different = differenceOf(script.program, parseBlanked(code).program, erased)
  if (different) fail(different, readsDifferently)
  return `${code}\n;export const ${stateExport} = () => [${names.map(name => `['${name}', ${name}]`).join(', ')}]`
}

const readsDifferently = 'Without its types this reads as something else: put what has a type into parentheses, and end the statement with a semicolon.'

/** A syntax error here was caused by blanking, since the script itself has been parsed. */
function parseBlanked(code: string) {
  try {
    return parseScript(code, 'javascript')
  } catch (error) {
    if (isSyntaxFault(error)) error.message = readsDifferently
    throw error
  }
}

function refuseUnrunnable(program: Node, fail: (node: Node, message: string) => never): void {
  const visit = (node: Node, inFunction: boolean): void => {
    if (node.type === 'ImportDeclaration' && node.importKind === 'type') return
    if (importsValue(node)) fail(node, 'A script cannot import anything.')
    if (!inFunction && (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await))) fail(node, 'A script cannot wait.')
    const inner = inFunction || isFunctionLike(node)
    for (const child of children(node)) visit(child, inner)
  }
  visit(program, false)
}

function importsValue(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration': case 'ImportExpression': case 'TSImportEqualsDeclaration': return true
    case 'ExportAllDeclaration': return node.exportKind !== 'type'
    case 'ExportNamedDeclaration': return node.source != null && node.exportKind !== 'type'
    default: return false
  }
}

/** `ball.push is ` where the parenthesis of a call is at this column of a line: the interpreter does not say what is not a function. */
export function calledAt(line: string | undefined, column: number): string {
  // An error that the script itself makes has its place behind `new`.
  const [, made, callee] = (line?.[column - 1] === '(' && /(new\s+)?([\w$]+(?:\.[\w$]+)*)$/.exec(line.slice(0, column - 1))) || []
  return made === undefined && callee !== undefined ? `${callee} is ` : ''
}
