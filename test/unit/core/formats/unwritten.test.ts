import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { requireScene, resolveScene, type Scene } from '../../../../core/scene'

const walker = JSON.parse(readFileSync('scenes/four-legged-walker.cairn.json', 'utf8')) as Scene
const scene = resolveScene(requireScene({ ...walker, parameters: [{ id: 'stride', value: 0.3 }] }))

it.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda'])('%s tells that sensors and parameters are not written', async id => {
  const { exporter } = formatById(id)!
  const { losses } = await exporter!.run(scene, 'walker', completeOptions(exporter!.options))
  for (const path of ['sensors', 'parameters']) expect(losses.filter(loss => loss.path === path).length, path).toBe(1)
})
