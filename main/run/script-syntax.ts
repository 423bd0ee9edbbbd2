/** Parses scripts to syntax trees with Babel's parser, which reads TypeScript and has a twentieth of the size of TypeScript's own. */
import { parse, type ParseError } from '@babel/parser'
import type * as Babel from '@babel/types'
import { ScriptError } from '../../core/dynamics/script-runtime'

export type Node = Babel.Node
/** A token or comment of the source with its position: zero-based offsets, the end exclusive. */
export interface Token {
  readonly start: number
  readonly end: number
  readonly value?: unknown
  readonly type: unknown
}

export interface ParsedScript {
  readonly program: Babel.Program
  /** In the order of the source, without comments. */
  readonly tokens: readonly Token[]
}

/** @throws SyntaxError of the parser, `isParseError` */
export function parseScript(source: string, language: 'typescript' | 'javascript'): ParsedScript {
  const file = parse(source, {
    sourceType: 'module', tokens: language === 'typescript', attachComment: false, createParenthesizedExpressions: true, createImportExpressions: true,
    plugins: [...language === 'typescript' ? ['typescript' as const] : [], 'decorators', 'decoratorAutoAccessors'],
  })
  const tokens = (file.tokens ?? []) as Token[]
  return { program: file.program, tokens: tokens.filter(token => token.type !== 'CommentLine' && token.type !== 'CommentBlock') }
}

type SyntaxFault = SyntaxError & ParseError & { readonly loc: { readonly line: number; readonly column: number }; readonly missingPlugin?: readonly string[] }

export const isSyntaxFault = (error: unknown): error is SyntaxFault => error instanceof SyntaxError && 'reasonCode' in error

/** The parser's message, without its own options, which it mentions for proposed syntax and which authors of scripts cannot set. */
export function syntaxMessage(fault: SyntaxFault): string {
  return fault.missingPlugin ? 'This is not part of the language of scripts.' : fault.message.replace(/ \(\d+:\d+\)$/, '')
}

/** Throws a refusal with the position of a node's first character. */
export function refuse(script: string, node: Node, message: string): never {
  const { line, column } = node.loc!.start
  throw new ScriptError(message, script, line, column + 1, 'compile')
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The child nodes, in no particular order. */
export function children(node: Node): Node[] {
  return Object.values(node).flatMap((value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
}

export function isFunctionLike(node: Node): node is Babel.Function {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' ||
    node.type === 'ObjectMethod' || node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod'
}
