/** Random scripts in the sandbox: they give finite forces, or are stopped with a typed error. */
import { SCRIPT_BODY_STRIDE, SCRIPT_WRENCH_STRIDE } from '../../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../../main/run/sandbox'
import { mutatedBytes } from '../mutate'
import { thrown, type Kind } from '../outcome'
import { Random } from '../random'

const EXPRESSIONS = [
  '1', 'ctx.time', `ctx.body('a').position[0]`, `ctx.random('k')`, '[1, 2, 3]', '({})', '(() => 1)()', 'null', 'undefined', `'x'.repeat(9)`, 'Math.sin(ctx.time)', '/a+/.exec("aa")',
  'new Map([[1, 2]])', 'new Float64Array(4)', 'Symbol()', 'globalThis', 'ctx', '1 / 0', '-0', 'NaN', 'ctx.body', '[...[1, 2]]', '`t${1}`', 'async () => 1', 'function* () { yield 1 }', 'class {}',
]
const STATEMENTS = [
  (e: string) => `ctx.body('a').applyForce([${e}, 0, 0])`, (e: string) => `ctx.body('a').applyTorque(${e})`, (e: string) => `ctx.plot('p', ${e})`, (e: string) => `ctx.log(${e})`,
  (e: string) => `for (let i = 0; i < 9; i++) { const x = ${e} }`, (e: string) => `try { throw ${e} } catch (error) { ctx.log(error) }`, (e: string) => `throw ${e}`,
  (e: string) => `const a = []; while (true) a.push(${e})`, (e: string) => `let x: any = ${e}; x = x.y`, (e: string) => `if (${e}) return`, (e: string) => `globalThis.x = ${e}`, (e: string) => `kept.push(${e})`,
]

export const scripts: Kind = {
  async run(seed) {
    const r = new Random(seed)
    const lines = Array.from({ length: 1 + r.index(6) }, () => r.of(STATEMENTS)(r.chance(0.3) ? `${r.of(EXPRESSIONS)} ?? ${r.of(EXPRESSIONS)}` : r.of(EXPRESSIONS)))
    let source = `const kept: unknown[] = []\nexport default function (ctx: ForceContext): void {\n${lines.join('\n')}\n}`
    if (r.chance(0.3)) source = new TextDecoder().decode(mutatedBytes(r, new TextEncoder().encode(source)))
    const runtime = await createScriptRuntime()
    try {
      const script = runtime.load('fuzz.ts', source, ['a'], 1)
      const wrenches = new Float64Array(SCRIPT_WRENCH_STRIDE)
      script.evaluate(0.5, new Float64Array(SCRIPT_BODY_STRIDE), wrenches)
      script.output()
      return wrenches.every(Number.isFinite) ? { outcome: 'completed', detail: '' } : { outcome: 'wrong', detail: 'a force that is not finite' }
    } catch (error) {
      const { fault } = error as { fault?: string }
      const outcome = thrown(['ScriptError'], error)
      return outcome.outcome === 'failed' ? outcome : { outcome: fault === 'compile' ? 'refused' : 'stopped', detail: fault ?? '' }
    } finally {
      runtime.dispose()
    }
  },
}
