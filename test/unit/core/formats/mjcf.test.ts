/** Exported scenes run in MuJoCo. */

import { readdirSync, readFileSync } from 'node:fs'
import loadMujoco from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { bodyMass, partsOf } from '../../../../core/analysis/solids'
import { exportMjcf } from '../../../../core/formats/mjcf'
import { transform } from '../../../../core/math/matrix'
import { rotate } from '../../../../core/math/quaternion'
import { add, type Vec3 } from '../../../../core/math/vector'
import { parseScene, type ResolvedScene } from '../../../../core/scene'

const scenes = new URL('../../../../scenes/', import.meta.url)
const examples = readdirSync(scenes).filter(name => name.endsWith('.cairn.json'))

function sceneOf(source: string | object): ResolvedScene {
  const parsed = parseScene(source)
  if (!parsed.ok) throw new Error(parsed.problems.map(problem => problem.message).join('\n'))
  return parsed.resolved
}

type Mujoco = Awaited<ReturnType<typeof loadMujoco>>
let mj: Mujoco

beforeAll(async () => { mj = await loadMujoco() })

/** Loads a scene's export and passes model and data at keyframe 0. */
function withModel<T>(scene: ResolvedScene, use: (model: InstanceType<Mujoco['MjModel']>, data: InstanceType<Mujoco['MjData']>) => T): T {
  const model = mj.MjModel.from_xml_string(exportMjcf(scene, 'scene').files[0]!.content as string)!
  const data = new mj.MjData(model)
  try {
    if (model.nkey > 0) mj.mj_resetDataKeyframe(model, data, 0)
    mj.mj_forward(model, data)
    return use(model, data)
  } finally {
    data.delete()
    model.delete()
  }
}

const three = (array: ArrayLike<number>, at: number): Vec3 => [array[3 * at]!, array[3 * at + 1]!, array[3 * at + 2]!]

function near(got: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(got.length).toBe(expected.length)
  got.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected[i]!))))
}

describe.each(examples)('%s in MuJoCo', file => {
  const scene = sceneOf(readFileSync(new URL(file, scenes), 'utf8'))

  it('has every body with its mass, inertia and pose', () => {
    withModel(scene, (model, data) => {
      for (const body of scene.bodies) {
        const id = mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY.value, body.id)
        expect(id).toBeGreaterThan(0)
        near(three(data.xpos, id), body.position, 1e-6)
        const quat = [data.xquat[4 * id + 1]!, data.xquat[4 * id + 2]!, data.xquat[4 * id + 3]!, data.xquat[4 * id]!]
        const same = Math.abs(quat.reduce((sum, value, k) => sum + value * body.orientation[k]!, 0))
        expect(same).toBeGreaterThan(1 - 1e-12)
        if (body.type !== 'dynamic') continue
        const { mass, centerOfMass, inertia } = bodyMass(body, partsOf(body, scene))
        expect(Math.abs(model.body_mass[id]! / mass - 1)).toBeLessThanOrEqual(1e-6)
        near(three(data.xipos, id), add(body.position, rotate(body.orientation, centerOfMass)), 1e-6)
        // Restores the inertia tensor from MuJoCo's principal moments and axes.
        const [w, x, y, z] = [0, 1, 2, 3].map(k => model.body_iquat[4 * id + k]!) as [number, number, number, number]
        const moments = three(model.body_inertia, id)
        const columns = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vec3[]).map(axis => {
          const local = rotate([-x, -y, -z, w], axis)
          return rotate([x, y, z, w], [local[0] * moments[0], local[1] * moments[1], local[2] * moments[2]])
        })
        columns.forEach((column, k) => {
          const expected = transform(inertia, [0, 1, 2].map(i => i === k ? 1 : 0) as unknown as Vec3)
          column.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThanOrEqual(1e-6 * Math.max(inertia[0], inertia[4], inertia[8])))
        })
      }
    })
  })

  it('has the initial velocities of its free bodies in keyframe 0', () => {
    withModel(scene, (model, data) => {
      for (const body of scene.bodies) {
        const joined = scene.joints.some(joint => joint.type !== 'gear' && (joint.bodyA === body.id || joint.bodyB === body.id))
        if (body.type !== 'dynamic' || joined) continue
        const id = mj.mj_name2id(model, mj.mjtObj.mjOBJ_BODY.value, body.id)
        const velocity = new mj.DoubleBuffer(6)
        try {
          mj.mj_objectVelocity(model, data, mj.mjtObj.mjOBJ_BODY.value, id, velocity, 0)
          const view = velocity.GetView()
          near([...view.slice(0, 3)], body.angularVelocity, 1e-9)
          near([...view.slice(3, 6)], body.linearVelocity, 1e-9)
        } finally {
          velocity.delete()
        }
      }
    })
  })
})

it('carries a resting block by its weight', () => {
  const scene = sceneOf({
    format: 'cairn-scene', version: 1,
    materials: [{ id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5 } }],
    bodies: [
      { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
      { id: 'block', position: [0, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'stone' }] },
    ],
  })
  const weight = 1000 * 0.125 * 9.81
  const force = withModel(scene, (model, data) => {
    for (let k = 0; k < 3000; k++) mj.mj_step(model, data)
    mj.mj_forward(model, data)
    const buffer = mj.DoubleBuffer.FromArray([0, 0, 0, 0, 0, 0])
    let sum = 0
    for (let i = 0; i < data.ncon; i++) {
      mj.mj_contactForce(model, data, i, buffer)
      sum += buffer.GetView()[0]!
    }
    buffer.delete()
    return sum
  })
  expect(Math.abs(force / weight - 1)).toBeLessThanOrEqual(1e-3)
})

it('reports what MuJoCo does not support: two coefficients of friction, restitution, scripts, a body that appears later', () => {
  const scene = sceneOf({
    format: 'cairn-scene', version: 1,
    materials: [{ id: 'stone', friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.3 }],
    bodies: [
      { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
      { id: 'late', spawnTime: 1, position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.5, material: 'stone' }] },
    ],
    forces: [{ id: 'push', type: 'script', script: 'push.ts' }],
    scripts: [{ id: 'push.ts', source: 'export default function () {}' }],
  })
  const { losses } = exportMjcf(scene, 'scene')
  expect(losses.map(loss => loss.path).sort()).toEqual(['bodies[1].spawnTime', 'forces[0]', 'materials[0].friction.dynamic', 'materials[0].restitution', 'scripts', 'simulation', 'simulation'])
  for (const loss of losses) expect(loss.instead).not.toBe('')
})
