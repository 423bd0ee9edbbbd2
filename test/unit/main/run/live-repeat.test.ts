import { expect, it } from 'vitest'
import type { HeldTrack } from '../../../../core/dynamics/held-track'
import type { Scene } from '../../../../core/scene'
import { simulate, type LiveTracks } from '../../../../core/simulation'
import { encodeContacts, encodeFrame } from '../../../../core/trajectory/codec'
import { keptScene, liveScene } from '../../../../main/engine/live-scene'
import type { LiveInput } from '../../../../main/protocol/live'
import { createScriptRuntime } from '../../../../main/run/sandbox'

const FRAMES = 70
const PARAMETERS = ['push', 'speed']

/** A box that is pushed against the side of a wheel which a motor turns: they touch at a line of a curved surface. */
const machine: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 700 }], gravity: [0, 0, 0],
  parameters: [{ id: 'push', value: 0, min: -5, max: 5 }, { id: 'speed', value: 1 }],
  bodies: [
    { id: 'box', position: [0, 0, 1], shapes: [{ type: 'box', size: [0.1, 0.1, 0.1], material: 'wood' }] },
    { id: 'wheel', position: [1, 0, 1], shapes: [{ type: 'cylinder', radius: 0.2, height: 0.1, material: 'wood' }] },
  ],
  joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [1, 0, 1], axis: [0, 0, 1] }],
  forces: [{ id: 'pushing', type: 'script', script: 'push.ts' }, { id: 'turning', type: 'script', script: 'turn.ts' }],
  scripts: [
    { id: 'push.ts', source: 'export default function (ctx: ForceContext) { ctx.body(\'box\').applyForce([ctx.parameters.push, 0, 0]) }' },
    { id: 'turn.ts', source: 'export const period = 0.05\nexport function control(ctx: ControlContext) { ctx.joint(\'axle\').setTargetVelocity(ctx.parameters.speed) }' },
  ],
}

type Given = Extract<LiveInput, { kind: 'parameter' }>

/** Frames and contacts of a run, to the byte. */
async function run(scene: Scene, live?: LiveTracks) {
  const messages: string[] = []
  let frames = 0
  const ignored = (): void => undefined
  const end = simulate(scene, {
    sink: {
      header: ignored, joints: ignored, forces: ignored, certificate: ignored, script: ignored, deformables: ignored, sensors: ignored, event: ignored,
      frame: frame => {
        messages.push(Buffer.from(encodeFrame(frame)).toString('hex'))
        frames++
      },
      contacts: frame => messages.push(Buffer.from(encodeContacts(frame)).toString('hex')),
    },
    cancelled: () => live !== undefined && frames >= FRAMES, scripts: await createScriptRuntime(), now: () => 0, ...live === undefined ? {} : { live },
  })
  return { messages, time: end.simulatedTime }
}

/** A session with input at given frames, and the scene that is kept of it. */
async function session(inputs: ReadonlyMap<number, readonly Given[]>) {
  const given: { time: number; input: LiveInput }[] = []
  let values: HeldTrack<readonly number[]> | undefined
  const { messages, time } = await run(liveScene(machine, null), {
    begin: () => undefined, ending: false,
    guide: (_force, make) => make(), drive: (_id, make) => make(), gravity: make => make(), parameters: make => values ??= make(),
    reached: ({ frame }) => {
      for (const input of inputs.get(frame.index) ?? []) {
        values!.append(frame.time, values!.at(frame.time).map((value, i) => PARAMETERS[i] === input.parameter ? input.value : value))
        given.push({ time: frame.time, input })
      }
    },
  })
  return { messages, given, kept: keptScene(liveScene(machine, null), given, time) }
}

it('the kept scene repeats a session to the byte also if input comes as bodies touch: looking at a frame changes nothing', { tags: 'long' }, async () => {
  const set = (parameter: string, value: number): Given => ({ kind: 'parameter', parameter, value })
  for (const pushed of [7, 9, 11]) {
    for (const pulled of [30, 31, 32]) {
      const { messages, given, kept } = await session(new Map([[pushed, [set('push', 4), set('speed', 5)]], [pushed + pulled, [set('push', -4)]]]))
      expect(given).toHaveLength(3)
      expect((await run(kept)).messages, `pushed at frame ${pushed}, pulled ${pulled} frames later`).toEqual(messages)
    }
  }
})
