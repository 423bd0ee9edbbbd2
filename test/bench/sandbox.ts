import { SCRIPT_BODY_STRIDE, SCRIPT_WRENCH_STRIDE } from '../../core/dynamics/script-runtime'
import { createScriptRuntime } from '../../main/run/sandbox'
import { best, report } from './support/timing'

/** One call of a force script, as at every stage of the integrator. */
export default async function (): Promise<void> {
  const batch = 1000
  const figures: Record<string, number> = {}
  for (const count of [1, 100, 1000]) {
    const ids = Array.from({ length: count }, (_, i) => `body-${i}`)
    const runtime = await createScriptRuntime()
    const nothing = runtime.load('nothing.ts', 'export default function (ctx: ForceContext) {}', ids, 1)
    const push = runtime.load('push.ts', `export default function (ctx: ForceContext) { const b = ctx.body('body-0'); b.applyForce([-b.position[0], 0, Math.sin(ctx.time)]) }`, ids, 1)
    const state = new Float64Array(count * SCRIPT_BODY_STRIDE).fill(1)
    const wrenches = new Float64Array(count * SCRIPT_WRENCH_STRIDE)
    const calls = (script: typeof push) => best(() => {
      for (let i = 0; i < batch; i++) script.evaluate(i, state, wrenches)
    }, 10) / batch
    figures[`an empty script, ${count} bodies`] = calls(nothing)
    figures[`a force on one of ${count} bodies`] = calls(push)
    runtime.dispose()
  }
  report('a call', figures)
}
