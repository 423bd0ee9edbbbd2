import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { requireScene, resolveScene, type Scene } from '../../../../core/scene'

const walker = JSON.parse(readFileSync('scenes/four-legged-walker.cairn.json', 'utf8')) as Scene
const scene = resolveScene(requireScene({ ...walker, parameters: [{ id: 'stride', value: 0.3 }] }))

async function told(id: string): Promise<string[]> {
  const { exporter } = formatById(id)!
  const { losses } = await exporter!.run(scene, 'walker', completeOptions(exporter!.options))
  return losses.map(({ path }) => path)
}

it.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda'])('%s tells that parameters are not written', async id => {
  expect((await told(id)).filter(path => path === 'parameters')).toHaveLength(1)
})

it.each(['urdf', 'gltf', 'usda'])('%s, which has no sensors, tells each that is not written', async id => {
  const paths = await told(id)
  expect(scene.sensors.length).toBeGreaterThan(0)
  scene.sensors.forEach((_, i) => expect(paths).toContain(`sensors[${i}]`))
})
