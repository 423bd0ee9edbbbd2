/** Scripts as syntax trees: TypeScript and JavaScript read by Babel's parser, which is a twentieth of TypeScript's own. */
import { parse, type ParseError } from '@babel/parser'
import type * as Babel from '@babel/types'
import { ScriptError } from '../../core/dynamics/script-runtime'

export type Node = Babel.Node
/** A token or comment of the source, with its place: zero-based offsets, the end exclusive. */
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

/** What the parser found, in its words; of its own options, which it names where a proposal is used, a writer of scripts knows nothing. */
export function syntaxMessage(fault: SyntaxFault): string {
  return fault.missingPlugin ? 'This is not part of the language of scripts.' : fault.message.replace(/ \(\d+:\d+\)$/, '')
}

/** A refusal at a node's first character. */
export function refuse(script: string, node: Node, message: string): never {
  const { line, column } = node.loc!.start
  throw new ScriptError(message, script, line, column + 1, 'compile')
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** The nodes directly below one, in no particular order. */
export function children(node: Node): Node[] {
  return Object.values(node).flatMap((value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
}

export function isFunctionLike(node: Node): node is Babel.Function {
  return node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression' ||
    node.type === 'ObjectMethod' || node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod'
}
