/** three's USD reader reads exported files, with the bodies at their poses in the scene. */

import { describe, expect, test } from 'vitest'
// @ts-expect-error three describes its loaders, not the parser below them
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js'
import { completeOptions, formatById } from '../../../../core/formats'
import { identifier } from '../../../../core/formats/usd/usda-write'
import { readScene, sceneFiles } from './scene-files'

interface Tree { readonly [key: string]: string | Tree }

describe('three\'s USDAParser', () => {
  test('finds every body of every scene at its place', async () => {
    const { exporter } = formatById('usda')!
    for (const file of sceneFiles) {
      const scene = readScene(file)
      const { files } = await exporter!.run(scene, 'scene', completeOptions(exporter!.options))
      const tree = new (USDAParser as new () => { parseText(text: string): Tree })().parseText(files[0]!.content as string)
      const world = tree['def Xform "World"'] as Tree
      for (const body of scene.bodies) {
        const prim = world[`def Xform "${identifier(body.id)}"`] as Tree | undefined
        expect(prim, `${file}: ${body.id}`).toBeDefined()
        const numbers = (text: unknown): number[] => String(text).replaceAll(/[()]/g, '').split(',').map(Number)
        if (body.position.some(x => x !== 0)) expect(numbers(prim!['double3 xformOp:translate']), file).toEqual([...body.position])
        if (body.orientation[3] !== 1) {
          const [x, y, z, w] = body.orientation
          expect(numbers(prim!['quatd xformOp:orient']), file).toEqual([w, x, y, z].map(v => v + 0))
        }
      }
    }
  }, 60_000)
})
