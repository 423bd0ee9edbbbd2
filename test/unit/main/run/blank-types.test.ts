/** Removal of types from scripts: compared with ts-blank-space, which uses TypeScript's own syntax tree. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import tsBlankSpace from 'ts-blank-space'
import type { ScriptError } from '../../../../core/dynamics/script-runtime'
import { blankTypes } from '../../../../main/run/blank-types'
import { differenceOf } from '../../../../main/run/same-program'
import { compileScript, stateExport } from '../../../../main/run/script-source'
import { parseScript } from '../../../../main/run/script-syntax'

/** The script without its types, proved to be the same program. */
function blanked(source: string): string {
  const script = parseScript(source, 'typescript')
  const { code, erased } = blankTypes(source, script, node => { throw new Error(`refused at ${node.start}`) })
  expect(differenceOf(script.program, parseScript(code, 'javascript').program, erased)).toBe(null)
  return code
}

/** Strippers may differ in empty statements, spaces, comments and commas after removed parts. */
const bare = (code: string) => code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/[\s;,]+/g, '')
const reference = (source: string) => tsBlankSpace(source, node => { throw new Error(`refused at ${node.pos}`) })

const constructs: Record<string, string> = {
  'annotations of variables': 'let a: number = 1, b!: string, c: { x: number; y?: string }[] = [], [d, e]: [number, string] = [1, ""], { f }: { f: number } = { f: 1 }',
  'annotations of parameters': 'function f(a: number, b?: string, c: number = 1, { d }: { d: number } = { d: 1 }, [e]: number[] = [], ...rest: readonly string[]): void {}',
  'this as a parameter': 'function f(this: Window, a: number) {}\nfunction g(this: void) {}\nconst h = { m(this: Set<number>, a = 1) { return a } }',
  'results': 'function f(): asserts x is string {}\nconst g = (x: unknown): x is number => true\nclass A { get v(): number { return 1 } set v(x: number) {} }',
  'type parameters': 'function f<T extends object = {}, const U = 1>(a: T): U { return a as never }\nclass A<in out T> extends Map<T, Array<Array<T>>> {}\nconst g = async <T,>(a: T) => a',
  'type arguments': 'new Set<string>()\nf<Array<Array<number>>>(1)\na?.b<string>(1)\nnew Map<string, number>\nconst h = f<string>\nf<T>`text`',
  'assertions': 'const a = b as unknown as string, c = { d: 1 } satisfies object, e = [1, 2] as const, g = (b as any).h!.i![0]!, j = b! as string',
  'assigning through assertions': '(a as any) = 1;(b!) = 2; c!.d = 3;[(e as any)] = [1];for ((f as any) of g) {}',
  'interfaces and aliases': 'interface A<T> extends B<T> { x: T; [key: string]: T; (a: T): void; new (a: T): A<T> }\ntype C = A<string> | (() => void)\nexport interface D {}\nexport type E = D',
  'conditional, mapped and template types': 'type A<T> = T extends infer U extends string ? `${U}-x` : { readonly [K in keyof T as `get${K & string}`]-?: T[K] }\nlet x: A<"y">',
  'declarations without code': 'declare const a: number\ndeclare function f(): void\ndeclare class B { m(): void }\ndeclare enum C { x }\ndeclare namespace N { const y: number }\ndeclare module "m" { export {} }\ndeclare global { interface Window {} }',
  'namespaces of types': 'namespace A { export type B = 1; interface C {} }\nnamespace D.E { type F = 1 }',
  'overloads': 'function f(a: string): void\nfunction f(a: number): void\nfunction f(a: unknown) {}\nclass A { m(a: string): void; m(a: number): void; m(a: unknown) {} constructor(a: string); constructor(a: unknown) {} }',
  'members': 'class A<T> extends Z implements B<T>, C { public a: T; private readonly b?: number; protected static c = 1; declare d: string; override e!: T; readonly ["f"] = 1; [key: string]: unknown; static #g: number = 1; m?(): void {} private async *n() {} accessor h: number = 1 }',
  'abstract classes': 'abstract class A { abstract a: number; abstract m(): void; protected abstract get b(): string; c = 1 }\nexport abstract class B {}\nexport default abstract class C {}',
  'classes as expressions': 'const A = class<T> extends (B as any)<T> implements C { x: T = 1 as never }',
  'imports and exports of types': 'import type A from "a"\nimport type { B } from "b"\nexport type { B } from "b"\nexport type * from "c"\nconst d = 1, e = 2\nexport { d, type B, e }',
  'catch, for and labels': 'try {} catch (e: unknown) {}\nfor (const x of y as number[]) {}\nfor (let i: number = 0; i < (z as number); i++) {}\nl: for (const k in o as object) continue l',
  'methods and accessors of objects': 'const a = { m<T>(x: T): T { return x }, get v(): number { return 1 }, async *n(this: void): AsyncGenerator<number> {}, ["c" as string]: 1 }',
  'templates, expressions and the like': 'const a = `${b as string} ${c!} ${<T,>(x: T) => x}`, r = /a<b>(c): d/g, s = "x as y", t = a < b && c > (d), u = a as any ? b : c',
  'comments with types in them': 'let a /* ? : */ : /* b */ number /* c */ = 1 // as any\nfunction f(a /* ! */ ?: number) {}',
  'unions that begin with a bar': 'type A =\n  | 1\n  | 2\nlet b:\n  | 1\n  | 2 = 1',
  'arrows whose types span lines': 'const f = (a: number)\n  : number =>\n  a\nconst g = <\n  T,\n>(a: T): T => a\nfunction h() { return <\n  T\n>(a: T) => a }\nconst k = (\n  a: number,\n  b: string,\n): {\n  c: number\n} => ({ c: a })',
  'what ends with its line': 'let a = b as number\n(c)\nlet d = e satisfies number\n[f]\nconst g = () => h as string\n`text`\nclass A { x = 1 as number\n["y"] = 2 }',
  'statements that are gone between others': 'a\ntype B = 1\n(c)\nd\ninterface E {}\n[f]\nif (g) { h\ntype I = 1\n}\n`j`',
  'optional chains and non-null': 'a?.b!.c; a?.[b]!; (a?.b)!.c; a!?.b; a!(); new (a!)(); x = y!; x! += 1; x!++',
  'unique symbols, getters in types, imports in types': 'let a: unique symbol; let b: { get x(): number; set x(v: number) }; let c: import("d").E<typeof f[number]>; let g: keyof typeof h; let i: new () => J; let k: abstract new () => L',
}

const scripts = readdirSync('scenes', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.cairn.json')).flatMap(name =>
  ((JSON.parse(readFileSync(join('scenes', name), 'utf8')) as { scripts?: { id: string; source: string }[] }).scripts ?? []).map(script => [`${name}: ${script.id}`, script.source] as const))
/** Real TypeScript: the sources of this repository. */
const sources = ['main/run', 'core/expression', 'core/math', 'renderer/script'].flatMap(folder =>
  readdirSync(folder).filter(name => name.endsWith('.ts')).map(name => [`${folder}/${name}`, readFileSync(join(folder, name), 'utf8')] as const))
  .filter(([, source]) => !/constructor\([^)]*\b(?:private|protected|public|readonly) /.test(source))

describe('a script without its types', () => {
  it.each([...Object.entries(constructs), ...scripts, ...sources])('%s', (_name, source) => {
    const code = blanked(source)
    expect(bare(code)).toBe(bare(reference(source)))
    const moved = [...code].filter((character, i) => character !== [...source][i] && !' ;()'.includes(character))
    expect(moved, 'all that is left stands where it stood').toStrictEqual([])
  })

  it('finds the scripts to compare', () => {
    expect(scripts.length).toBeGreaterThan(2)
    expect(sources.length).toBeGreaterThan(40)
  })

  it('an assertion with angle brackets, which the reference refuses', () => {
    expect(blanked('const a = <string>b, c = <T>(<unknown>d)')).toBe('const a =         b, c =    (         d)')
  })

  it('a hundred levels of nesting', () => {
    for (const [open, close] of [['(', ')'], ['[', ']'], ['{ a: ', '}'], ['f(', ')'], ['() => (', ')']] as const) {
      expect(() => compileScript('a.ts', `const f: any = 1, x = ${open.repeat(100)}1${close.repeat(100)}`)).not.toThrow()
    }
  })

  it('a field before a member whose modifier is removed stays a field of its own', () => {
    expect(blanked('class A { a = b\n  private *c() {}\n  public ["d"] = 1 }')).toBe('class A { a = b\n  ;       *c() {}\n  ;      ["d"] = 1 }')
  })
})

describe('types that cannot be blanked are refused, with their place', () => {
  const at = (source: string) => {
    try {
      compileScript('a.ts', source)
    } catch (error) {
      const { line, column, message } = error as ScriptError
      return [line, column, message]
    }
    return null
  }
  it.each([
    ['an enum', 'const a = 1\n  enum B { c }', 2, 3, /code of its own/],
    ['a namespace with values', 'namespace A { export const b = 1 }', 1, 1, /code of its own/],
    ['a parameter property', 'class A { constructor(b: number, private c: number) {} }', 1, 34, /code of its own/],
    ['an import of a value', 'import type A from "a"\n import { b } from "b"', 2, 2, /cannot import/],
    ['an export from elsewhere', 'export type { A } from "a"; export * from "b"', 1, 29, /cannot import/],
    ['import and require', 'import a = require("a")', 1, 1, /cannot import/],
    ['a type that groups what it stands in', 'const a = 1, b = 2\nconst c = a + b as number * 3', 2, 11, /reads as something else/],
    ['a type that parts ?? from &&', 'const a = 1\nconst d = a ?? a as number && a', 2, 28, /requires parens when mixing/],
    ['an angle bracket that return ends with', 'function f(a: unknown) { return <\nnumber\n>a }', 1, 24, /reads as something else/],
  ])('%s', (_name, source, line, column, message) => {
    expect(at(source)).toStrictEqual([line, column, expect.stringMatching(message)])
  })

  it.each([
    ['a bracket that is missing', 'const a = [1, 2\nconst b = 3', 2, 1],
    ['a brace too many', 'function f() {}\n}', 2, 1],
    ['an operator without an operand', 'const a = 1 +\n\n  ;', 3, 3],
    ['a text that does not end', "const a = 'b\nc", 1, 11],
    ['a word that is reserved', 'const class = 1', 1, 7],
    ['a type that does not end', 'let a: Array<number = []', 1, 21],
    ['the same name twice', 'const a = 1\nconst a = 2', 2, 7],
    ['a return outside a function', 'return 1', 1, 1],
    ['syntax of a proposal', 'const a = 1 |> f', 1, 13],
  ])('%s', (_name, source, line, column) => {
    expect(at(source)).toStrictEqual([line, column, expect.not.stringMatching(/\(\d+:\d+\)|plugin/)])
  })

  it('positions count UTF-16 units and every kind of line end, as editors do', () => {
    expect(at('const a = "\u{1F600}"; let b = = 1')!.slice(0, 2)).toStrictEqual([1, 25])
    expect(at('const a = 1\r\nconst b = 2\rlet c = = 1')!.slice(0, 2)).toStrictEqual([3, 9])
  })
})

describe('variables that a module keeps', () => {
  const compile = (source: string) => compileScript('a.ts', source)

  it('are listed by name, exported or not, without types and overloads', () => {
    const source = 'const a = 1, { b, c: [d = 2, ...e] } = f(); export let g: number; function h(): void; function h() {} class K {} declare const l: number; type M = 1; export default function n() {}'
    expect(compile(source).split('\n').at(-1)).toBe(`;export const ${stateExport} = () => [${['a', 'b', 'd', 'e', 'g', 'h', 'K', 'n'].map(name => `['${name}', ${name}]`).join(', ')}]`)
  })

  it.each([
    'n = 1', 'n += 1', 'n++', '--n', '[n] = [1]', '({ n } = { n: 1 })', '({ a: [n = 2] } = b)', '[...n] = b', '(n as any) = 1', '(n!)++', 'for (n of b) {}', 'for ({ n } of b) {}',
    'n ??= 1', '{ let n; } n = 1', '(() => { n = 1 })()', 'switch (n = 1) { case 1: let n }', 'class A { [n = 1](n) {} }', '((x = (n = 1)) => { var n })()',
  ])('are not assigned in a function: %s is refused', statement => {
    expect(() => compile(`let n = 0, b\nfunction f() { ${statement} }`)).toThrow(/"n" is kept between calls/)
  })

  it.each([
    'let n; n = 1', 'var n = 1; n++', '{ var n } n = 1', 'for (let n = 0; n < 3; n++) {}', 'for (const [n] of b) {}', 'try {} catch (n) { n = 1 }', '((n) => { n = 1 })()',
    '(({ a: { n } }, ...m) => { n = 1; m = 2 })()', 'function n() {} n = 1', 'class n {} n = 1', 'switch (1) { case 1: let n; n = 1 }', 'class A { static { let n; n = 1 } }', 'b.n = 1',
  ])('do not include a function\'s own variables: %s', statement => {
    expect(() => compile(`let n = 0, b, m\nfunction f() { ${statement} }`)).not.toThrow()
  })
})
