import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { requireScene, resolveScene, type Scene } from '../../../../core/scene'

const walker = JSON.parse(readFileSync('scenes/four-legged-walker.cairn.json', 'utf8')) as Scene
const scene = resolveScene(requireScene({ ...walker, parameters: [{ id: 'stride', value: 0.3 }] }))

async function told(id: string): Promise<string[]> {
  const { exporter } = formatById(id)!
  const { losses } = await exporter!.run(scene, 'walker', completeOptions(exporter!.options))
  expect(losses.filter(({ message, instead }) => message.endsWith('.') || instead.endsWith('.'))).toEqual([])
  return losses.map(({ path }) => path)
}

it.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda'])('%s reports that parameters are not written', async id => {
  expect((await told(id)).filter(path => path === 'parameters')).toHaveLength(1)
})

it.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda'])('%s reports paths, breakable joints and keys of servos', async id => {
  const { exporter } = formatById(id)!
  const held = resolveScene(requireScene({
    format: 'cairn-scene', version: 1, materials: [{ id: 'stuff' }],
    bodies: [
      { id: 'lift', type: 'kinematic', path: [{ time: 1, position: [0, 0, 1] }], shapes: [{ type: 'sphere', radius: 0.1, material: 'stuff' }] },
      { id: 'arm', position: [5, 0, 0], shapes: [{ type: 'sphere', radius: 0.1, material: 'stuff' }] },
    ],
    joints: [{
      id: 'shoulder', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [4.5, 0, 0], axis: [0, 1, 0], breakForce: 100,
      servo: { stiffness: 10, keys: [{ time: 1, target: 1 }] },
    }],
  }))
  const paths = (await exporter!.run(held, 'held', completeOptions(exporter!.options))).losses.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['bodies[0].path', ...id === 'usda' ? [] : ['joints[0]'], id === 'urdf' || id === 'sdf' ? 'joints[0].servo' : 'joints[0].servo.keys']))
})

it.each(['urdf', 'gltf', 'usda'])('%s, which has no sensors, reports each one', async id => {
  const paths = await told(id)
  expect(scene.sensors.length).toBeGreaterThan(0)
  scene.sensors.forEach((_, i) => expect(paths).toContain(`sensors[${i}]`))
})
