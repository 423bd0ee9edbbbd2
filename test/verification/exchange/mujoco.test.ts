/** MuJoCo loads exported scenes, and their motion is the same: the first second without contact, and at rest within the softness of its contacts. */

import loadMujoco from '@mujoco/mujoco'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../core/formats'
import { toOuter } from '../../../core/math/pose'
import { bodyMass, partsOf } from '../../../core/analysis/solids'
import { parseScene, type ResolvedScene } from '../../../core/scene'
import { bodyAt, recorded } from '../support'
import { randomScene } from './random-scene'
import { sampled } from '../../sampled'

type Mujoco = Awaited<ReturnType<typeof loadMujoco>>
let mj: Mujoco

beforeAll(async () => { mj = await loadMujoco() })

function resolved(source: object): ResolvedScene {
  const parsed = parseScene(source)
  if (!parsed.ok) throw new Error(parsed.problems.map(problem => `${problem.path}: ${problem.message}`).join('\n'))
  return parsed.resolved
}

async function textOf(format: string, scene: ResolvedScene): Promise<string> {
  const exporter = formatById(format)!.exporter!
  const { files } = await exporter.run(scene, 'scene', completeOptions(exporter.options))
  expect(files).toHaveLength(1)
  return files[0]!.content as string
}

/** Centres of mass after some time in MuJoCo, by body id; null where it has none of that name. */
function inMujoco(xml: string, ids: readonly string[], seconds: number): (readonly [number, number, number] | null)[] {
  const model = mj.MjModel.from_xml_string(xml)!
  const data = new mj.MjData(model)
  try {
    if (model.nkey > 0) mj.mj_resetDataKeyframe(model, data, 0)
    model.opt.timestep = 0.0005
    model.opt.integrator = mj.mjtIntegrator.mjINT_RK4.value
    for (let k = 0; k < Math.round(seconds / 0.0005); k++) mj.mj_step(model, data)
    mj.mj_forward(model, data)
    return ids.map(id => {
      const body = mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY.value, id)
      return body < 0 ? null : [data.xipos[3 * body]!, data.xipos[3 * body + 1]!, data.xipos[3 * body + 2]!]
    })
  } finally {
    data.delete()
    model.delete()
  }
}

function here(scene: ResolvedScene): (readonly number[])[] {
  const run = recorded(scene)
  expect(run.end.status).toBe('completed')
  return scene.bodies.map((body, i) => {
    const { position, orientation } = bodyAt(run.frames.at(-1)!, i)
    return toOuter({ position, orientation } as never, bodyMass(body, partsOf(body, scene)).centerOfMass)
  })
}

const stuff = { id: 'stuff', friction: { static: 0.6, dynamic: 0.6 } }
const rod = (id: string, x: number, z = 0): object => ({ id, position: [x, 0, z], shapes: [{ type: 'box', size: [1, 0.1, 0.1], material: 'stuff' }] })
const base = { format: 'cairn-scene', version: 1, materials: [stuff], simulation: { duration: 1, outputRate: 10, method: 'event-driven', eventDriven: { tolerance: 1e-10 } } }
const hinge = (id: string, bodyA: string, bodyB: string | null, anchor: readonly number[], more: object = {}): object =>
  ({ id, type: 'hinge', bodyA, bodyB, anchor, axis: [0, 1, 0], ...more })

const doublePendulum = resolved({
  ...base, bodies: [rod('upper', 0.5), rod('lower', 1.5)],
  joints: [hinge('shoulder', 'upper', null, [0, 0, 0], { damping: 0.2 }), hinge('elbow', 'upper', 'lower', [1, 0, 0], { damping: 0.1 })],
})
/** A bar between two points of the plane y = 0, of 2 kg. */
function bar(id: string, [x, z]: readonly [number, number], [u, w]: readonly [number, number]): object {
  const square = (u - x) * (u - x) + (w - z) * (w - z)
  const moment = 2 * square / 12
  return { id, position: [(x + u) / 2, 0, (z + w) / 2], mass: { mass: 2, centerOfMass: [0, 0, 0], inertia: [moment, moment, moment, 0, 0, 0] } }
}
/** Every hinge has a spring, also the one that closes the loop; with these lengths it passes no dead point. */
const fourBar = resolved({
  ...base,
  bodies: [bar('crank', [0, 0], [0, 0.5]), bar('coupler', [0, 0.5], [1.2, 0.9]), bar('rocker', [1.2, 0.9], [1.2, 0])],
  joints: [
    hinge('a', 'crank', null, [0, 0, 0], { spring: { stiffness: 20, rest: 0.4 } }), hinge('b', 'crank', 'coupler', [0, 0, 0.5], { spring: { stiffness: 5 } }),
    hinge('c', 'coupler', 'rocker', [1.2, 0, 0.9], { spring: { stiffness: 8, rest: 0.2 } }),
    hinge('d', 'rocker', null, [1.2, 0, 0], { spring: { stiffness: 30, rest: 0.5 } }),
  ],
})

sampled('loads what is written of scenes made at random', { few: 15, all: 60 }, async cases => {
  await fc.assert(fc.asyncProperty(randomScene, async scene => {
    const parsed = parseScene(scene)
    fc.pre(parsed.ok)
    const { exporter } = formatById('mjcf')!
    const { files } = await exporter!.run(parsed.resolved, 'scene', completeOptions(exporter!.options))
    expect(inMujoco(files[0]!.content as string, ['body.0'], 0.001)).not.toEqual([null])
  }), { numRuns: cases })
})

describe('without contact, MuJoCo moves in the first second as Cairn does', () => {
  it.each([['mjcf'], ['urdf']])('a double pendulum as %s', async format => {
    const ours = here(doublePendulum)
    inMujoco(await textOf(format, doublePendulum), ['upper', 'lower'], 1).forEach((center, i) => {
      center!.forEach((value, k) => expect(Math.abs(value - ours[i]![k]!)).toBeLessThan(1e-6))
    })
  })

  it('an arm held by servos, one of them at its largest force', async () => {
    const arm = resolved({
      ...base, bodies: [rod('upper', 0.5), rod('lower', 1.5)],
      joints: [
        hinge('shoulder', 'upper', null, [0, 0, 0], { servo: { target: -0.8, stiffness: 900, damping: 40, maxForce: 150 } }),
        hinge('elbow', 'upper', 'lower', [1, 0, 0], { servo: { target: 0.6, stiffness: 300, damping: 12 } }),
      ],
    })
    const ours = here(arm)
    const text = await textOf('mjcf', arm)
    const { importer } = formatById('mjcf')!
    const back = await importer!.run({ name: 'arm.xml', content: text }, () => null, completeOptions(importer!.options))
    const servos = (joints: readonly object[] = []): unknown[] => joints.map(joint => (joint as { servo?: object }).servo)
    expect(servos(back.scene.joints)).toEqual(servos(arm.joints))
    inMujoco(text, ['upper', 'lower'], 1).forEach((center, i) => {
      center!.forEach((value, k) => expect(Math.abs(value - ours[i]![k]!)).toBeLessThan(1e-6))
    })
  })

  it('a four-bar with a spring in every hinge, the closing one too, within the softness of its weld', async () => {
    const ours = here(fourBar)
    const theirs = inMujoco(await textOf('mjcf', fourBar), ['crank', 'coupler', 'rocker'], 1)
    theirs.forEach((center, i) => center!.forEach((value, k) => expect(Math.abs(value - ours[i]![k]!)).toBeLessThan(2e-3)))
    // Without the spring of the loop's last hinge the pose would differ.
    const without = here(resolved({ ...base, bodies: fourBar.bodies, joints: fourBar.joints.map(joint => joint.id === 'd' ? { ...joint, spring: undefined } : joint) }))
    expect(Math.abs(without[1]![0]! - ours[1]![0]!)).toBeGreaterThan(2e-2)
  })
})

describe('with contact, MuJoCo rests as Cairn does, within the softness of its contacts', () => {
  const ground = { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stuff' }] }
  const crate = (id: string, z: number): object => ({ id, position: [0, 0, z], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'stuff' }] })

  it('a stack of three', async () => {
    const stack = resolved({ ...base, bodies: [ground, crate('one', 0.2), crate('two', 0.6), crate('three', 1)] })
    inMujoco(await textOf('mjcf', stack), ['one', 'two', 'three'], 1).forEach((center, i) => {
      const height = 0.2 + 0.4 * i
      expect(Math.abs(center![2] - height)).toBeLessThan(2e-3)
      expect(Math.hypot(center![0], center![1])).toBeLessThan(1e-3)
    })
  })

  it('a block that sticks to a slope, and one that slides down', async () => {
    const angle = 0.3
    const turn = [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)]
    const slope = (mu: number) => resolved({
      ...base, materials: [{ id: 'stuff', friction: { static: mu, dynamic: mu } }],
      bodies: [
        { ...ground, orientation: turn }, { id: 'block', orientation: turn, position: [0.2 * Math.sin(angle), 0, 0.2 * Math.cos(angle)], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'stuff' }] },
      ],
    })
    const down = (mu: number) => 0.5 * 9.81 * (Math.sin(angle) - mu * Math.cos(angle))
    for (const [mu, way] of [[0.6, 0], [0.1, down(0.1)]] as const) {
      const [center] = inMujoco(await textOf('mjcf', slope(mu)), ['block'], 1)
      const moved = center![0] * Math.cos(angle) - center![2] * Math.sin(angle)
      expect(Math.abs(moved - way)).toBeLessThan(0.03)
    }
  })
})
