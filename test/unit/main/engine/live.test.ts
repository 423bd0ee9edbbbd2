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
  engine = createEngine({ home: join(folder, 'home'), workerUrl: built().worker })
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
/** Every message of two runs, to the byte. */
async function expectEqual(one: string, other: string) {
  for (const channel of ['frames', 'contacts', 'joints', 'forces', 'deformables', 'certificate', 'events'] as const) {
    let from = 0
    for (;;) {
      const range = { channel, from, to: from + 200 }
      const [own, repeated] = [(await engine.read(one, [range]))[0]!, (await engine.read(other, [range]))[0]!]
      expect(repeated.map(bytes => Buffer.from(bytes).toString('hex'))).toEqual(own.map(bytes => Buffer.from(bytes).toString('hex')))
      if (own.length === 0) break
      from += own.length
    }
  }
}
async function stop(run: string) {
  const ended = over(run)
  await engine.cancel(run)
  await ended
  return engine.run(run)
}
/** Ends at a checkpoint, from which another session can continue. */
async function handOver(run: string) {
  const ended = over(run)
  await engine.liveInput(run, { kind: 'handOver' })
  await ended
  return engine.run(run)
}
async function repeated(run: string) {
  const again = await engine.simulate(await engine.keptScene(run), { reuse: false })
  if (again.status === 'running') await over(again.id)
  return again.id
}
const timeOf = (frame: LiveFrame) => decodeFrame(frame.frame).time

describe('a live session', () => {
  it('lets a person drag, throw and nail bodies, and the kept scene repeats every frame, contact and force to the byte', { tags: 'long' }, async () => {
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
    // Hands that were not used are not kept.
    expect(forces.map(({ id }) => id)).toEqual(['live-hand-1', 'live-hand-2'])
    expect(forces[0]!.keys.map(({ body }) => body)).toEqual(['box-4', 'box-4', null])
    expect(JSON.parse(kept)).not.toHaveProperty('gravityKeys')
    const again = await engine.simulate(kept, { reuse: false })
    if (again.status === 'running') await over(again.id)
    expect((await engine.run(again.id)).status).toBe('completed')
    expect((await engine.run(again.id)).frames).toBe(session.frames)
    await expectEqual(run.id, again.id)
  })

  it('has springs, motors, dragged particles and scene changes that the kept scene repeats to the byte too', { tags: 'long' }, async () => {
    const machine = JSON.stringify({
      format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
      bodies: [
        { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
        { id: 'wheel', position: [0, 0, 1], shapes: [{ type: 'cylinder', radius: 0.2, height: 0.1, material: 'wood' }] },
        { id: 'ball', position: [1, 0, 0.1], shapes: [{ type: 'sphere', radius: 0.1, material: 'wood' }] },
      ],
      joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [0, 0, 1], axis: [0, 0, 1], motor: { targetVelocity: 1, maxForce: 5 } }],
      deformables: [{ id: 'rope', type: 'rope', material: 'wood', points: [[0, 2, 1], [0.5, 2, 1]], segments: 5, radius: 0.01, pins: [0] }],
    })
    const run = await engine.live(machine, 'machine')
    await picture(run.id, frame => timeOf(frame) > 0.1)
    await engine.liveInput(run.id, { kind: 'drive', joint: 'axle', coordinate: 0, driven: 'motor', value: 6 })
    await engine.liveInput(run.id, { kind: 'guide', hand: 1, body: 'ball', point: [0, 0, 0], on: 'wheel', target: [0.2, 0, 0], length: 0.5, stiffness: 300, damping: 2 })
    await engine.liveInput(run.id, { kind: 'guide', hand: 0, body: null, particle: { deformable: 'rope', index: 5 }, point: [0, 0, 0], target: [0.6, 2, 1.3], stiffness: 30, damping: 1 })
    await engine.liveInput(run.id, { kind: 'gravity', gravity: [0, 0, 1.5] })
    await engine.liveInput(run.id, { kind: 'gravity', gravity: [0, 1, 0.5] })
    const moved = await picture(run.id, frame => timeOf(frame) > 0.8)
    expect(positionIn(moved, 2)[2]!).toBeGreaterThan(0.15)
    expect(moved.deformables).not.toBeNull()
    // The kept scene has no additional keys.
    await engine.liveInput(run.id, { kind: 'drive', joint: 'axle', coordinate: 0, driven: 'servo', value: 6 })
    const { frames, simulatedTime } = await handOver(run.id)
    const kept = JSON.parse(await engine.keptScene(run.id)) as { gravityKeys: { gravity: number[] }[]; joints: { motor: { keys: { targetVelocity: number }[] } }[]; bodies: object[] }
    expect(kept.gravityKeys.at(-1)!.gravity).toEqual([0, 1, 0.5])
    expect(kept.joints[0]!.motor.keys.map(({ targetVelocity }) => targetVelocity)).toEqual([6])
    const again = await repeated(run.id)
    expect((await engine.run(again)).frames).toBe(frames)
    await expectEqual(run.id, again)

    // A much larger body is added and another is removed while it runs; the session continues from its last state.
    kept.bodies.push({ id: 'late', position: [3, 0, 2], spawnTime: simulatedTime, shapes: [{ type: 'sphere', radius: 1.5, material: 'wood' }] })
    Object.assign(kept.bodies[2]!, { removeTime: simulatedTime })
    const on = await engine.live(JSON.stringify(kept), 'on', run.id)
    const first = await picture(on.id, () => true)
    expect(timeOf(first)).toBeGreaterThanOrEqual(simulatedTime)
    await engine.liveInput(on.id, { kind: 'drive', joint: 'axle', coordinate: 0, driven: 'motor', value: -2 })
    await engine.liveInput(on.id, { kind: 'gravity', gravity: [0, 0, -9.81] })
    const last = await picture(on.id, frame => timeOf(frame) > simulatedTime + 0.4)
    expect([positionIn(last, 2)[0], positionIn(last, 3)[0]]).toEqual([NaN, 3])
    const second = await handOver(on.id)
    await expectEqual(on.id, await repeated(on.id))

    // Again while paused, with a joint between the added body and the world.
    const further = JSON.parse(await engine.keptScene(on.id)) as { joints: object[]; simulation: { timeStepping: { handovers: number[] } } }
    expect(further.simulation.timeStepping.handovers).toEqual([simulatedTime])
    const [[lastFrame]] = await engine.read(on.id, [{ channel: 'frames', from: second.frames - 1, to: second.frames }]) as [[Uint8Array]]
    const [x, y, z, ...turn] = decodeFrame(lastFrame).bodies.slice(3 * BODY_STRIDE, 3 * BODY_STRIDE + 7)
    further.joints.push({ id: 'held', type: 'ball', bodyA: 'late', bodyB: null, anchor: [x, y, z], spawnTime: second.simulatedTime, poseA: { position: [x, y, z], orientation: turn } })
    const third = await engine.live(JSON.stringify(further), 'third', on.id)
    await engine.liveInput(third.id, { kind: 'speed', ratio: 0 })
    await engine.liveInput(third.id, { kind: 'step' })
    await picture(third.id, frame => timeOf(frame) > second.simulatedTime)
    const paused = await handOver(third.id)
    expect(paused.frames).toBeGreaterThan(second.frames)
    await expectEqual(third.id, await repeated(third.id))
    const fourth = await engine.live(await engine.keptScene(third.id), 'fourth', third.id)
    await picture(fourth.id, frame => timeOf(frame) > paused.simulatedTime + 0.1)
    await stop(fourth.id)
    await expectEqual(fourth.id, await repeated(fourth.id))
  })

  it('sets parameters that force and controller scripts read, and the kept scene repeats it to the byte', { tags: 'long' }, async () => {
    const machine = JSON.stringify({
      format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700 }], gravity: [0, 0, 0],
      parameters: [{ id: 'push', value: 0, min: -5, max: 5 }, { id: 'speed', value: 1 }, { id: 'twice', value: '=2 * speed' }],
      bodies: [
        { id: 'box', position: [0, 0, 1], shapes: [{ type: 'box', size: [0.1, 0.1, 0.1], material: 'wood' }] },
        { id: 'wheel', position: [1, 0, 1], shapes: [{ type: 'cylinder', radius: 0.2, height: 0.1, material: 'wood' }] },
      ],
      joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [1, 0, 1], axis: [0, 0, 1] }],
      forces: [{ id: 'pushing', type: 'script', script: 'push.ts' }, { id: 'turning', type: 'script', script: 'turn.ts' }],
      scripts: [
        { id: 'push.ts', source: `export default function (ctx: ForceContext) { ctx.body('box').applyForce([ctx.parameters.push, 0, 0]) }` },
        { id: 'turn.ts', source: `export const period = 0.05\nexport function control(ctx: ControlContext) { ctx.joint('axle').setTargetVelocity(ctx.parameters.speed) }` },
      ],
    })
    const run = await engine.live(machine, 'parameters')
    await picture(run.id, frame => timeOf(frame) > 0.1)
    await engine.liveInput(run.id, { kind: 'parameter', parameter: 'push', value: 4 })
    await engine.liveInput(run.id, { kind: 'parameter', parameter: 'speed', value: 3 })
    // The last of two simultaneous inputs counts; invalid ones have no effect.
    await engine.liveInput(run.id, { kind: 'parameter', parameter: 'speed', value: 5 })
    await engine.liveInput(run.id, { kind: 'parameter', parameter: 'pull', value: 5 })
    const moved = await picture(run.id, frame => timeOf(frame) > 0.6)
    expect(positionIn(moved, 0)[0]).toBeGreaterThan(0.1)
    await engine.liveInput(run.id, { kind: 'parameter', parameter: 'push', value: -4 })
    await picture(run.id, frame => timeOf(frame) > 0.9)
    await stop(run.id)
    const kept = JSON.parse(await engine.keptScene(run.id)) as { parameters: { id: string; value: number; keys?: { time: number; value: number }[] }[] }
    expect(kept.parameters.map(({ id, value, keys }) => [id, value, keys?.map(key => key.value)])).toEqual([['push', 0, [4, -4]], ['speed', 1, [5]], ['twice', 2, undefined]])
    await expectEqual(run.id, await repeated(run.id))
  })

  it('advances by one frame at a time while paused', async () => {
    const run = await engine.live(scene, 'steps')
    await engine.liveInput(run.id, { kind: 'speed', ratio: 0 })
    let at = await picture(run.id, () => true)
    await new Promise(resolve => setTimeout(resolve, 200))
    for (let k = 0; k < 3; k++) {
      const next = picture(run.id, () => true)
      await engine.liveInput(run.id, { kind: 'step' })
      const frame = await next
      if (k > 0) expect(decodeFrame(frame.frame).index).toBe(decodeFrame(at.frame).index + 1)
      at = frame
    }
    await stop(run.id)
  }, 60_000)

  it('applies an input in the frame after the one shown, and keeps it with the time of the one shown', async () => {
    const run = await engine.live(scene, 'at once')
    await engine.liveInput(run.id, { kind: 'speed', ratio: 0 })
    let shown = await picture(run.id, () => true)
    let last = performance.now()
    const unheard = engine.listen({
      liveFrame: frame => {
        shown = frame
        last = performance.now()
      },
    })
    // Waits until no picture from before the pause can arrive.
    while (performance.now() - last < 300) await new Promise(resolve => setTimeout(resolve, 50))
    unheard()
    const next = picture(run.id, () => true)
    await engine.liveInput(run.id, { kind: 'gravity', gravity: [0, 0, 20] })
    await engine.liveInput(run.id, { kind: 'step' })
    const answer = await next
    expect([decodeFrame(answer.frame).index - decodeFrame(shown.frame).index, answer.inputCount - shown.inputCount]).toEqual([1, 1])
    // ½ g h² of the first step: it no longer rests on the next box.
    expect(positionIn(answer, 5)[2]! - positionIn(shown, 5)[2]!).toBeCloseTo(20 / 3600 / 2, 9)
    await stop(run.id)
    const { gravityKeys } = JSON.parse(await engine.keptScene(run.id)) as { gravityKeys: { time: number }[] }
    expect(gravityKeys.map(({ time }) => time)).toEqual([timeOf(shown)])
    await expectEqual(run.id, await repeated(run.id))
  }, 60_000)

  it('pauses and continues, at the chosen speed', async () => {
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

  it('refuses an invalid scene', async () => {
    await expect(engine.live('{}', 'three')).rejects.toMatchObject({ name: 'Refused' })
  })
})
