import { expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { requireScene, resolveScene, type Scene } from '../../../../core/scene'

const servo = { target: -0.5, stiffness: 40, damping: 3, maxForce: 25 }
const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'stuff' }],
  bodies: [{ id: 'arm', position: [1, 0, 0], shapes: [{ type: 'box', size: [1, 0.1, 0.2], material: 'stuff' }] }],
  joints: [{ id: 'shoulder', type: 'hinge', bodyA: 'arm', bodyB: null, anchor: [0.5, 0, 0], axis: [0, 1, 0], servo }],
}

it.each(['mjcf', 'gltf', 'usda'])('a servo with a force limit survives a round trip through %s', async id => {
  const { exporter, importer } = formatById(id)!
  const { files, losses } = await exporter!.run(resolveScene(requireScene(scene)), 'arm', completeOptions(exporter!.options))
  expect(losses.filter(({ path }) => path.includes('servo'))).toEqual([])
  const back = await importer!.run(files[0]!, name => files.find(file => file.name === name) ?? null, completeOptions(importer!.options))
  const found = (back.scene.joints![0] as { servo?: typeof servo }).servo!
  for (const [key, value] of Object.entries(servo)) expect(Math.abs(found[key as keyof typeof servo] / value - 1), key).toBeLessThan(1e-6)
})
