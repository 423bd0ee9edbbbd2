import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeFrame } from '../../../../core/trajectory/codec'
import { BODY_STRIDE } from '../../../../core/trajectory/frame'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import type { LiveFrame, LiveInput } from '../../../../main/protocol/live'
import { built, scratch } from '../built'

const folder = scratch()
let engine: LocalEngine

beforeAll(async () => {
  engine = createEngine({ home: join(folder, 'home'), workerUrl: (await built()).worker })
})
afterAll(async () => {
  await engine.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const scene = JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.3 }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    ...Array.from({ length: 5 }, (_, i) => ({ id: `box-${i}`, position: [0, 0, 0.1 + 0.2 * i], shapes: [{ type: 'box', size: [0.2, 0.2, 0.2], material: 'wood' }] })),
  ],
})
const pull = (body: string | null, target: readonly [number, number, number], hand = 0): LiveInput =>
  ({ kind: 'guide', hand, body, point: [0.1, 0, 0.1], target, stiffness: 800, damping: 60 })
const positionIn = (frame: LiveFrame, body: number) => [...decodeFrame(frame.frame).bodies.subarray(body * BODY_STRIDE, body * BODY_STRIDE + 3)]

/** Waits for a picture of the session for which `wanted` holds. */
const picture = (run: string, wanted: (frame: LiveFrame) => boolean) => new Promise<LiveFrame>(done => {
  const stop = engine.listen({
    liveFrame: frame => {
      if (frame.run !== run || !wanted(frame)) return
      stop()
      done(frame)
    },
  })
})
const over = (run: string) => new Promise<void>(done => {
  const stop = engine.listen({
    runChanged: info => {
      if (info.id !== run || info.status === 'running') return
      stop()
      done()
    },
  })
})
const timeOf = (frame: LiveFrame) => decodeFrame(frame.frame).time

describe('a session in which a person takes part', () => {
  it('drags, throws and nails, and the kept scene repeats every frame, contact and force to the byte', async () => {
    const run = await engine.live(scene, 'one')
    await picture(run.id, frame => timeOf(frame) > 0.1)
    await engine.liveInput(run.id, pull('box-4', [0.6, 0, 1.4]))
    await picture(run.id, frame => positionIn(frame, 5)[0]! > 0.2)
    await engine.liveInput(run.id, pull('box-4', [1.2, 0.3, 1.6]))
    await engine.liveInput(run.id, pull('box-2', [0, 0, 0.6], 1))
    const before = await picture(run.id, frame => positionIn(frame, 5)[0]! > 0.4)
    await engine.liveInput(run.id, pull(null, [0, 0, 0]))
    await picture(run.id, frame => timeOf(frame) > timeOf(before) + 0.4)
    const ended = over(run.id)
    await engine.cancel(run.id)
    await ended
    const session = await engine.run(run.id)
    expect(session.status).toBe('cancelled')

    const kept = await engine.keptScene(run.id)
    const forces = (JSON.parse(kept) as { forces: { id: string; keys: { body: string | null }[] }[] }).forces
    expect(forces.find(({ id }) => id === 'hand')!.keys.map(({ body }) => body)).toEqual(['box-4', 'box-4', null])
    const again = await engine.simulate(kept, { reuse: false })
    if (again.status === 'running') await over(again.id)
    expect((await engine.run(again.id)).status).toBe('completed')
    expect((await engine.run(again.id)).frames).toBe(session.frames)
    for (const channel of ['frames', 'contacts', 'forces', 'events'] as const) {
      let from = 0
      for (;;) {
        const [own, repeated] = [await engine.read(run.id, channel, from, from + 200), await engine.read(again.id, channel, from, from + 200)]
        expect(repeated.map(bytes => Buffer.from(bytes).toString('hex'))).toEqual(own.map(bytes => Buffer.from(bytes).toString('hex')))
        if (own.length === 0) break
        from += own.length
      }
    }
  }, 60_000)

  it('pauses and goes on, on the clock', async () => {
    const run = await engine.live(scene, 'two')
    await engine.liveInput(run.id, { kind: 'speed', ratio: 0 })
    await engine.liveInput(run.id, { kind: 'speed', ratio: 0.5 })
    const started = performance.now()
    const from = await picture(run.id, () => true)
    const to = await picture(run.id, frame => timeOf(frame) > timeOf(from) + 0.25)
    const pace = (timeOf(to) - timeOf(from)) / ((performance.now() - started) / 1000)
    expect(pace).toBeLessThan(0.75)
    const ended = over(run.id)
    await engine.cancel(run.id)
    await ended
  }, 60_000)

  it('a scene that is none is refused', async () => {
    await expect(engine.live('{}', 'three')).rejects.toMatchObject({ name: 'Refused' })
  })
})
