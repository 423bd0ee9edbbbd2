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
