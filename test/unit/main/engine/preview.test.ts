import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeForces } from '../../../../core/trajectory/codec'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import { built, scratch } from '../built'

const folder = scratch()
let engine: LocalEngine

beforeAll(async () => {
  engine = createEngine({ home: join(folder, 'home'), workerUrl: built().worker })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const scene = (source: string) => JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
  bodies: [{ id: 'ball', position: [0, 0, 2], linearVelocity: [3, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] }],
  forces: [{ id: 'air', type: 'drag', linear: 0.5 }, { id: 'push', type: 'script', script: 'push.ts' }], scripts: [{ id: 'push.ts', source }],
})

it('the forces at the start are known before a run, including scripts and drag', async () => {
  const { forceIds, frame } = await engine.previewForces(scene("export default function (ctx: ForceContext) { ctx.body('ball').applyForce([0, 7, 0]) }"), 'a')
  const { source, wrench } = decodeForces(frame)
  const of = (id: string) => {
    const at = 6 * source.indexOf(forceIds.indexOf(id))
    return [...wrench.subarray(at, at + 3)]
  }
  expect(of('push')).toEqual([0, 7, 0])
  expect(of('air')).toEqual([-1.5, 0, 0].map(x => expect.closeTo(x, 12)))
  expect(await engine.runs()).toEqual([])
})

it('an exception in a script is reported with its line', async () => {
  await expect(engine.previewForces(scene("export default function () {\n  throw new Error('no')\n}"), 'b')).rejects.toMatchObject({ problems: [{ name: 'ScriptError', line: 2 }] })
})

it('what the scripts do in the first two seconds is known before a run: forces by body, torques that are not zero, plots', async () => {
  const { until, whole, series } = await engine.previewScripts(
    scene("export default function (ctx: ForceContext) { ctx.body('ball').applyForce([0, 3 * ctx.time, 4 * ctx.time]); ctx.plot('half', ctx.time / 2) }"), 'c')
  expect(until).toBe(2)
  expect(whole).toBe(false)
  expect(series.map(({ label, unit }) => [label, unit])).toEqual([['push on ball', 'N'], ['half', '']])
  for (const [k, t] of series[0]!.time.entries()) expect(series[0]!.values[k]).toBeCloseTo(5 * t, 12)
  for (const [k, t] of series[1]!.time.entries()) expect(series[1]!.values[k]).toBeCloseTo(t / 2, 12)
  expect(await engine.runs()).toEqual([])
})

it('a script that throws later is reported as in a run', async () => {
  await expect(engine.previewScripts(scene("export default function (ctx: ForceContext) {\n  if (ctx.time > 0.5) throw new Error('late')\n}"), 'd'))
    .rejects.toMatchObject({ problems: [{ name: 'ScriptError', line: 2 }] })
})
