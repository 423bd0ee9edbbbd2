/** MuJoCo's sensors in an exported scene give the same values as Cairn's. */

import loadMujoco from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../core/formats'
import { rotate, type Quat } from '../../../core/math/quaternion'
import type { Vec3 } from '../../../core/math/vector'
import { requireScene, resolveScene, type Scene } from '../../../core/scene'
import { simulate } from '../../../core/simulation'
import type { SensorFrame, TrajectoryHeader } from '../../../core/trajectory/frame'
import { sensorLayout } from '../../../core/trajectory/sensors'
import { noScripts } from '../support'

type Mujoco = Awaited<ReturnType<typeof loadMujoco>>
let mj: Mujoco

beforeAll(async () => { mj = await loadMujoco() })

/** Values at the end by `id:quantity`, or by the id alone for a sensor with one quantity. */
type Said = ReadonlyMap<string, readonly number[]>

function here(scene: Scene): Said {
  let last: SensorFrame | undefined
  let header: TrajectoryHeader | undefined
  const none = (): void => undefined
  const end = simulate(scene, {
    sink: {
      header: begun => { header = begun }, frame: none, contacts: none, joints: none, forces: none, certificate: none, deformables: none, event: none, script: none,
      sensors: frame => { last = frame },
    },
    cancelled: () => false, scripts: noScripts, now: () => 0,
  })
  expect(end.status).toBe('completed')
  const { quantities } = sensorLayout(header!)
  const single = (sensor: string): boolean => quantities.filter(one => one.sensor === sensor).length === 1
  return new Map(quantities.map(({ sensor, name, at, length }) => [single(sensor) ? sensor : `${sensor}:${name}`, [...last!.values.subarray(at, at + length)]]))
}

async function inMujoco(scene: Scene, seconds: number, step: number): Promise<Said> {
  const { exporter } = formatById('mjcf')!
  const { files } = await exporter!.run(resolveScene(requireScene(scene)), 'scene', completeOptions(exporter!.options))
  const model = mj.MjModel.from_xml_string(files[0]!.content as string)!
  const data = new mj.MjData(model)
  try {
    mj.mj_resetDataKeyframe(model, data, 0)
    model.opt.timestep = step
    model.opt.integrator = mj.mjtIntegrator.mjINT_RK4.value
    for (let k = 0; k < Math.round(seconds / step); k++) mj.mj_step(model, data)
    // After a step, sensor data are those of its start.
    mj.mj_forward(model, data)
    return new Map(Array.from({ length: model.nsensor }, (_, i) => {
      const [at, size] = [model.sensor_adr[i]!, model.sensor_dim[i]!]
      return [mj.mj_id2name(model, mj.mjtObj.mjOBJ_SENSOR.value, i), [...data.sensordata.subarray(at, at + size)]]
    }))
  } finally {
    data.delete()
    model.delete()
  }
}

function near(theirs: readonly number[] | undefined, ours: readonly number[], tolerance: number): void {
  expect(theirs).toHaveLength(ours.length)
  ours.forEach((value, k) => expect(Math.abs(theirs![k]! - value), `${ours.join(' ')} and ${theirs!.join(' ')}`).toBeLessThan(tolerance))
}

const turn: Quat = [0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)]
const rod = (id: string, x: number): object => ({ id, position: [x, 0, 0], shapes: [{ type: 'box', size: [1, 0.1, 0.2], material: 'stuff' }] })
const base = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'stuff', friction: { static: 0.6, dynamic: 0.6 } }],
  simulation: { duration: 0.5, outputRate: 10, method: 'event-driven', eventDriven: { tolerance: 1e-11 } },
} as const

describe('after half a second of smooth motion', () => {
  const scene = {
    ...base, bodies: [
      { id: 'floor', type: 'fixed', position: [0, 0, -20], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stuff' }] },
      rod('upper', 0.5), rod('lower', 1.5),
      { id: 'thrown', position: [0, 3, 5], orientation: turn, linearVelocity: [1, 2, 0], angularVelocity: [3, -1, 2],
        shapes: [{ type: 'box', size: [0.3, 0.2, 0.1], position: [0.1, 0, 0], material: 'stuff' }] },
    ],
    joints: [
      { id: 'shoulder', type: 'hinge', bodyA: 'upper', bodyB: null, anchor: [0, 0, 0], axis: [0, 1, 0], damping: 0.2 },
      { id: 'elbow', type: 'ball', bodyA: 'lower', bodyB: 'upper', anchor: [1, 0, 0] },
    ],
    sensors: [
      { id: 'arm', type: 'imu', body: 'lower', position: [0.4, 0.05, 0], orientation: turn }, { id: 'air', type: 'imu', body: 'thrown', position: [0.1, 0.1, 0.1] },
      { id: 'tip', type: 'pose', body: 'lower', position: [0.5, 0, 0], orientation: turn },
      { id: 'hung', type: 'joint', joint: 'shoulder' }, { id: 'bent', type: 'joint', joint: 'elbow' },
      { id: 'down', type: 'range', body: 'upper', position: [0.2, 0, 0], direction: [0, 0.5, -2], maximum: 100 },
      { id: 'up', type: 'range', body: null, position: [9, 0, 5], direction: [0, 0, -1], maximum: 30 },
    ],
  } as unknown as Scene
  let ours: Said
  let theirs: Said
  beforeAll(async () => {
    ours = here(scene)
    theirs = await inMujoco(scene, 0.5, 0.00025)
  })

  it.each(['arm:specificForce', 'arm:angularRate', 'air:specificForce', 'air:angularRate', 'tip:position', 'down', 'up'])('%s', name => {
    near(theirs.get(name), ours.get(name)!, 1e-6)
  })

  it('tip:orientation', () => {
    const [w, x, y, z] = theirs.get('tip:orientation')!
    const sign = w! * ours.get('tip:orientation')![3]! < 0 ? -1 : 1
    near([x!, y!, z!, w!].map(value => sign * value), ours.get('tip:orientation')!, 1e-6)
  })

  it.each([['hung', 'upper', 0.2], ['bent', 'lower', 0]])('force and torque of %s, which MuJoCo gives in the axes of the child body', (joint, body, damping) => {
    const placed = here({ ...scene, sensors: [{ id: 'at', type: 'pose', body }, { id: 'rate', type: 'imu', body }] } as Scene)
    const axes = placed.get('at:orientation') as unknown as Quat
    const inWorld = (quantity: string): Vec3 => rotate(axes, theirs.get(`${joint}:${quantity}`) as unknown as Vec3)
    near(inWorld('force'), ours.get(`${joint}:force`)!, 1e-5)
    // MuJoCo's value includes the joint's damper; Cairn's is the constraint force only.
    const damper: Vec3 = [0, -damping * placed.get('rate:angularRate')![1]!, 0]
    near(inWorld('torque'), ours.get(`${joint}:torque`)!.map((value, k) => value + damper[k]!), 1e-5)
  })
})

it('contact sensors of a body and of one shape measure the weight of a resting body in both', async () => {
  const scene = {
    ...base, bodies: [
      { id: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stuff' }] },
      { id: 'bench', position: [0, 0, 0.1], shapes: [-0.5, 0.5].map(x => ({ type: 'box', size: [0.2, 0.2, 0.2], position: [x, 0, 0], material: 'stuff' })) },
    ],
    sensors: [{ id: 'all', type: 'contact', body: 'bench' }, { id: 'one', type: 'contact', body: 'bench', shape: 1 }, { id: 'ground', type: 'contact', body: 'floor' }],
  } as unknown as Scene
  const [ours, theirs] = [here(scene), await inMujoco(scene, 2, 0.001)]
  const weight = ours.get('all')![2]!
  expect(weight).toBeGreaterThan(100)
  for (const id of ['all', 'one', 'ground']) near(theirs.get(id), ours.get(id)!, 1e-3 * weight)
})
