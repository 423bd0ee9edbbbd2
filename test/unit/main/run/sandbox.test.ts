import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_BODY_STRIDE, SCRIPT_WRENCH_STRIDE, ScriptError, type ScriptRuntime } from '../../../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../../../main/run/sandbox'

let runtime: ScriptRuntime
beforeEach(async () => {
  runtime = await createScriptRuntime()
})
afterEach(() => runtime.dispose())

const bodies = ['block', 'door']

/** Block: centre of mass 1 m right of its origin, moving and turning; door: fixed at the origin. */
function stateOf(): Float64Array {
  const state = new Float64Array(2 * SCRIPT_BODY_STRIDE)
  state.set([1, 2, 3, 0, 0, 0, 1, 4, 5, 6, 0, 0, 2, 2, 2, 3, 7, 1])
  state.set([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, Infinity, 1], SCRIPT_BODY_STRIDE)
  return state
}

function forces(source: string, time = 0.25, seed = 1): Float64Array {
  const script = runtime.load('push.ts', source, bodies, seed)
  const wrenches = new Float64Array(2 * SCRIPT_WRENCH_STRIDE).fill(NaN)
  script.evaluate(time, stateOf(), wrenches)
  return wrenches
}

function failure(action: () => unknown): ScriptError {
  try {
    action()
  } catch (error) {
    expect(error).toBeInstanceOf(ScriptError)
    return error as ScriptError
  }
  throw new Error('nothing was thrown')
}

const body = (statements: string) => `export default function (ctx: ForceContext) { ${statements} }`
/** Evaluates an expression in the sandbox and returns its value as the x force on the block. */
const valueOf = (expression: string, time?: number, seed?: number) =>
  forces(body(`ctx.body('block').applyForce([${expression}, 0, 0])`), time, seed)[0]!

describe('a force script', () => {
  it('reads time and state and answers with force and torque about the centre of mass', () => {
    const [fx, fy, fz, tx, ty, tz] = forces(body(`
      const block = ctx.body('block')
      block.applyForce([0, 0, block.mass * 2], [block.position[0], 2, 3])
      block.applyForce([ctx.time, block.linearVelocity[1], 0])
      block.applyTorque([0, 0, 10])`))
    expect([fx, fy, fz]).toStrictEqual([0.25, 5, 14])
    // The arm from the centre of mass is (−1, 0, 0): (−1, 0, 0) × (0, 0, 14) = (0, 14, 0).
    expect([tx, ty, tz]).toStrictEqual([0, 14, 10])
  })

  it('sees the velocity of the material at a point: v + ω × r', () => {
    // r = (1, 0, 0), ω = (0, 0, 2): ω × r = (0, 2, 0).
    expect(forces(body(`const b = ctx.body('block'); b.applyForce(b.velocityAt([3, 2, 3]))`)).subarray(0, 3)).toStrictEqual(new Float64Array([4, 7, 6]))
  })

  it('gives its breakpoints sorted, and its plots and logs', () => {
    const script = runtime.load('push.ts', `export const breakpoints: number[] = [2, 0.5]\n${body(`ctx.plot('gap', NaN); ctx.plot('x', 1.5); ctx.log('t = ' + ctx.time)`)}`, bodies, 1)
    expect(script.breakpoints).toStrictEqual([0.5, 2])
    script.evaluate(3, stateOf(), new Float64Array(12))
    expect(script.output()).toStrictEqual({ plots: [{ name: 'gap', value: NaN }, { name: 'x', value: 1.5 }], logs: ['t = 3'] })
  })

  it('overwrites the answer of the last call', () => {
    const script = runtime.load('push.ts', body(`if (ctx.time === 0) ctx.body('block').applyForce([1, 1, 1])`), bodies, 1)
    const wrenches = new Float64Array(12)
    script.evaluate(0, stateOf(), wrenches)
    expect(wrenches[0]).toBe(1)
    script.evaluate(1, stateOf(), wrenches)
    expect(wrenches).toStrictEqual(new Float64Array(12))
  })

  it('offers exactly the members of its type file', () => {
    const file = ts.createSourceFile('t.d.ts', readFileSync('main/protocol/script-types.d.ts', 'utf8'), ts.ScriptTarget.ESNext)
    const members = (name: string) => file.statements.flatMap(statement =>
      (ts.isInterfaceDeclaration(statement) && statement.name.text === name
        ? statement.members.map(member => (member.name as ts.Identifier).text) : [])).sort().join()
    const script = runtime.load('push.ts', body(`ctx.log(Object.keys(ctx).sort().join()); ctx.log(Object.keys(ctx.body('block')).sort().join())`), bodies, 1)
    script.evaluate(0, stateOf(), new Float64Array(12))
    expect(script.output().logs).toStrictEqual([members('ForceContext'), members('ForceBody')])
  })

  it('reads parameters as they are at the time of the call, and lists them if one does not exist', () => {
    const parameters = { ids: ['gain', 'lift'], at: (time: number) => [2 * time, -1] }
    const load = (statements: string) => runtime.load('push.ts', body(statements), bodies, 1, parameters)
    const wrenches = new Float64Array(12)
    const push = load(`const { gain, lift } = ctx.parameters; ctx.body('block').applyForce([gain, lift, Object.keys(ctx.parameters).length])`)
    for (const time of [0.5, 3]) {
      push.evaluate(time, stateOf(), wrenches)
      expect([...wrenches.subarray(0, 3)]).toEqual([2 * time, -1, 2])
    }
    const fault = (statements: string, script = load(statements)) => failure(() => script.evaluate(0, stateOf(), wrenches)).message
    expect(fault('ctx.parameters.weight')).toBe('parameters: there is no parameter "weight", there are gain, lift')
    expect(fault('ctx.parameters.gain = 3')).toMatch(/read-only|no setter|not extensible/)
    expect(fault('ctx.parameters.x', runtime.load('push.ts', body('ctx.parameters.x'), bodies, 1))).toBe('parameters: there is no parameter "x", the scene has none')
  })

  it('isolates two scripts from each other', () => {
    const first = runtime.load('a.ts', `const g = 1; ${body(`ctx.body('block').applyForce([g, 0, 0])`)}`, bodies, 1)
    const second = runtime.load('b.ts', `const g = 2; ${body(`ctx.body('block').applyForce([g, 0, 0])`)}`, bodies, 1)
    const wrenches = new Float64Array(12)
    first.evaluate(0, stateOf(), wrenches)
    expect(wrenches[0]).toBe(1)
    second.evaluate(0, stateOf(), wrenches)
    expect(wrenches[0]).toBe(2)
  })
})

describe('randomness', () => {
  it('depends on seed, key and time only', () => {
    expect(valueOf(`ctx.random('a')`)).toBe(valueOf(`ctx.random('a')`))
    const different = [valueOf(`ctx.random('a')`), valueOf(`ctx.random('b')`), valueOf(`ctx.random('a')`, 0.5), valueOf(`ctx.random('a')`, 0.25, 2)]
    expect(new Set(different).size).toBe(4)
  })

  it('is uniform in [0, 1)', () => {
    const [low, high, mean, square] = ['Math.min(...r)', 'Math.max(...r)', 'r.reduce((a, b) => a + b) / r.length', 'r.reduce((a, b) => a + b * b, 0) / r.length'].map(of =>
      forces(body(`const r = Array.from({ length: 4000 }, (_, i) => ctx.random('k' + i)); ctx.body('block').applyForce([${of}, 0, 0])`))[0]!)
    expect(low).toBeGreaterThanOrEqual(0)
    expect(low).toBeLessThan(0.005)
    expect(high).toBeLessThan(1)
    expect(high).toBeGreaterThan(0.995)
    expect(mean).toBeCloseTo(1 / 2, 1.5)
    expect(square).toBeCloseTo(1 / 3, 1.5)
  })

  it('keeps its value for an interval on request, so that it can be integrated', () => {
    const at = (time: number) => valueOf(`ctx.random('a', 0.1)`, time)
    expect(at(0.21)).toBe(at(0.29))
    expect(at(0.29)).not.toBe(at(0.31))
    expect(failure(() => valueOf(`ctx.random('a', 0)`)).message).toContain('> 0 s')
  })

  it('is refused from Math.random, with a pointer to ctx.random', () => {
    expect(failure(() => valueOf('Math.random()')).message).toContain('ctx.random')
  })

  it('gives the same bits from the same script, elementary functions included', () => {
    const source = body(`
      let x = 0.1
      for (let i = 0; i < 100; i++) x = Math.sin(x) + Math.exp(-x) + Math.pow(1.1, x) + ctx.random('k' + i)
      ctx.body('block').applyForce([x, Math.atan2(x, 2), Math.log(x)])`)
    expect(forces(source)).toStrictEqual(forces(source))
    // Results that must be equal bit for bit on every Node version and operating system.
    expect([...forces(source).subarray(0, 3)]).toMatchInlineSnapshot(`
      [
        2.632536916538919,
        0.9211012055201219,
        0.9679479883042743,
      ]
    `)
  })
})

describe('a faulty script is refused or stopped, with the place', () => {
  it.each([
    ['a syntax error', 'const a = 1\n  let b = = 2', 'compile', 2, 11],
    ['no default export', 'export const x = 1', 'compile', 0, 0],
    ['an export that is no function', 'export default 5', 'compile', 0, 0],
    ['an import', `import fs from 'node:fs'\n${body('')}`, 'compile', 1, 1],
    ['a dynamic import', body(`import('node:fs')`), 'compile', 1, 47],
    ['top-level await', `await 1\n${body('')}`, 'compile', 1, 1],
    ['an enum', `enum E { a }\n${body('')}`, 'compile', 1, 1],
    ['breakpoints that are no times', `export const breakpoints = [NaN]\n${body('')}`, 'compile', 0, 0],
    ['a module that throws', `const a: number = 1\n   throw new Error('at load')\n${body('')}`, 'throw', 2, 19],
    ['a module that loops', `while (true) {}\n${body('')}`, 'budget', 1, 1],
    ['an assignment to a module variable', `let n = 0\n${body('n += 1')}`, 'compile', 2, 47],
  ])('%s', (_name, source, fault, line, column) => {
    expect(failure(() => runtime.load('push.ts', source, bodies, 1))).toMatchObject({ script: 'push.ts', fault, line, column })
  })

  it.each([
    ['a throw', `throw new RangeError('so not')`, 'throw', /RangeError: so not/],
    ['a thrown text', `throw 'oops'`, 'throw', /oops/],
    ['a thrown trap', `throw { get message() { throw 1 }, get stack() { while (true) {} } }`, 'budget', /too long/],
    ['a missing body', `ctx.body('nobody')`, 'throw', /no body "nobody"/],
    ['an endless loop', `while (true) {}`, 'budget', /too long/],
    ['an endless loop that catches', `while (true) { try { while (true) {} } catch {} }`, 'budget', /too long/],
    ['endless recursion', `(function f() { f() })()`, 'budget', /without end/],
    ['endless allocation', `const a = []; while (true) a.push(new Array(1000).fill(1))`, 'memory', /memory/],
    ['endless small objects', `const a = []; while (true) a.push({ x: 1, y: [1, 2] })`, 'memory', /memory/],
    ['endless views', `const a = []; while (true) a.push(new Float64Array(100))`, 'memory', /memory/],
    ['endless errors', `const a = []; while (true) a.push(new Error('x'))`, 'memory', /memory/],
    ['endless sets', `const a = []; while (true) a.push(new Set([1, 2, 3]))`, 'budget', /too long/],
    ['nothing thrown', `throw null`, 'throw', /null/],
    ['an endless text', `let s = 'x'; while (true) s += s`, 'memory', /memory/],
    ['a huge array', `new Array(4e9).fill(0)`, 'memory', /memory/],
    ['a backtracking expression', `/(a+)+$/.test('a'.repeat(60) + 'b')`, 'budget', /too long/],
    ['a NaN force', `ctx.body('block').applyForce([NaN, 0, 0])`, 'value', /NaN.*three finite numbers/],
    ['an infinite torque', `ctx.body('block').applyTorque([0, 1 / 0, 0])`, 'value', /Infinity/],
    ['a sum that overflows', `for (let i = 0; i < 3; i++) ctx.body('block').applyForce([1e308, 0, 0])`, 'value', /Infinity/],
    ['a force that is no vector', `ctx.body('block').applyForce(5)`, 'value', /three finite numbers/],
    ['a Promise', `return new Promise(() => {})`, 'throw', /Promise/],
    ['too many plots', `for (let i = 0; i < 100; i++) ctx.plot('p' + i, 0)`, 'throw', /more than 64/],
  ])('%s', (_name, statement, fault, message) => {
    const source = `// a comment\nexport default function (ctx: ForceContext): void {\n  ${statement}\n}`
    const error = failure(() => forces(source))
    expect(error).toMatchObject({ fault, script: 'push.ts', message: expect.stringMatching(message) as string })
    // An empty loop is reported at the position of its function. Without memory left, the place is found only if building the error still fits.
    if (!['a thrown text', 'a sum that overflows', 'a thrown trap', 'nothing thrown'].includes(_name) && !/^endless [asoev]/.test(_name)) expect(error.line).toBe(_name.includes('endless loop') ? 2 : 3)
  })

  it.each([
    ["const door = ctx.body('door'); door.addForce([1, 0, 0])", 'door.addForce is not a function'],
    ["ctx.body('door').addForce([1, 0, 0])", 'addForce is not a function'],
    ['const push = 1; push()', 'push is not a function'],
    ["throw new TypeError('not a function')", 'not a function'],
  ])('names what is not a function: %s', (statements, message) => {
    expect(failure(() => forces(body(statements))).message).toBe(message)
  })

  it('is refused if it is nested more deeply than the compiler can handle', () => {
    const nested = (depth: number) => body(`const x = ${'('.repeat(depth)}1${')'.repeat(depth)}`)
    expect(failure(() => forces(nested(20_000)))).toMatchObject({ fault: 'compile', message: 'The script is nested too deeply to be read.' })
    expect(failure(() => forces(body(`const x = ${'['.repeat(50_000)}`)))).toMatchObject({ fault: 'compile' })
  })

  it('is stopped after the same number of steps every time', () => {
    const steps = () => {
      const script = runtime.load('push.ts', body(`let n = 0; while (true) { n++; if (n % 100000 === 0) ctx.log('' + n) }`), bodies, 1)
      failure(() => script.evaluate(0, stateOf(), new Float64Array(12)))
      return script.output().logs.at(-1)
    }
    expect(steps()).toBe(steps())
  })

  it('still works after being stopped once', () => {
    const script = runtime.load('push.ts', body(`if (ctx.time > 1) while (true) {}; ctx.body('block').applyForce([ctx.time, 0, 0])`), bodies, 1)
    failure(() => script.evaluate(2, stateOf(), new Float64Array(12)))
    const wrenches = new Float64Array(12)
    script.evaluate(0.5, stateOf(), wrenches)
    expect(wrenches[0]).toBe(0.5)
  })
})

describe('forces depend on time and state alone', () => {
  it.each([
    ['an object', `const memory = { n: 0 }`, 'memory.n++'],
    ['an array', `const list: number[] = []`, 'list.push(1)'],
    ['a nested object', `const a = { b: { c: [0] } }`, 'a.b.c[0] = 1'],
    ['a map', `const seen = new Map([[1, 1]])`, 'seen.set(2, 2)'],
    ['a set', `const seen = new Set()`, 'seen.add(2)'],
    ['a class\'s static', `class Counter { static n = 0 }`, 'Counter.n++'],
    ['the function itself', '', `(globalThis as any).counter = 1`],
    ['a built-in prototype', '', `(Array.prototype as any).counter = 1`],
    ['a function prototype', '', `((function* () { yield 1 }).constructor.prototype as any).counter = 1`],
    ['the context', '', `(ctx as any).counter = 1`],
    ['a body', '', `(ctx.body('block') as any).counter = 1`],
  ])('%s cannot be changed between calls', (_name, declaration, statement) => {
    expect(failure(() => forces(`${declaration}\n${body(statement)}`)).fault).toBe('throw')
  })

  it('a counter hidden in a closure is detected', () => {
    const source = `const count = (() => { let n = 0; return () => ++n })()\n${body(`ctx.body('block').applyForce([count(), 0, 0])`)}`
    expect(failure(() => forces(source))).toMatchObject({ fault: 'value', message: expect.stringContaining('remembers') as string })
  })

  it('local variables of a call may change, under any name', () => {
    const source = `let n = 2\nn = n + 1\n${body(`let n = 0; const s = new Set<number>(); for (const x of [1, 2]) { n += x; s.add(x) }; [n] = [n + s.size]; ctx.body('block').applyForce([n, 0, 0])`)}`
    expect(forces(source)[0]).toBe(5)
  })
})

describe('nothing outside the sandbox can be reached', () => {
  it.each([
    'process', 'require', 'fetch', 'console', 'setTimeout', 'Date', 'performance', 'WebAssembly', 'eval', 'Function', 'Promise', 'Proxy',
    'DataView', 'SharedArrayBuffer', 'Atomics', 'Uint8Array', 'std', 'os', 'window', 'importScripts',
  ])('%s does not exist', name => {
    expect(valueOf(`typeof (globalThis as any).${name} === 'undefined' ? 1 : 0`)).toBe(1)
  })

  it.each([
    `(() => 1).constructor('return 1')()`,
    `(function* () {}).constructor('yield 1')()`,
    `(async () => 1).constructor('return 1')()`,
    `[].constructor.constructor('return globalThis')()`,
    `ctx.body.constructor('return globalThis')()`,
    `Reflect.construct(Object.getPrototypeOf(() => 1).constructor, ['return 1'])`,
  ])('%s compiles no code from text', expression => {
    expect(failure(() => valueOf(expression)).fault).toBe('throw')
  })

  it('the host\'s objects do not appear in an error\'s stack or in exceptions of the context', () => {
    const script = runtime.load('push.ts', body(`try { ctx.body('x') } catch (e) { ctx.log((e as Error).stack!); ctx.log('' + (e as any).constructor.constructor) }`), bodies, 1)
    script.evaluate(0, stateOf(), new Float64Array(12))
    const [stack, constructor] = script.output().logs
    expect(stack).not.toMatch(/node_modules|sandbox|\/|file:/)
    expect(constructor).toBe('undefined')
  })
})
