/**
 * The same figures as of the gallery, of scenes as people build them first (`support/everyday-scenes.ts`): what is slow, stops or is inexact there is a
 * fault that users meet.
 *
 *   npm run bench -- everyday [--scenes "dice,domino spiral"] [--seconds 120]
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { everydayScenes } from './support/everyday-scenes'
import { cache, ENDING, printRatios } from './support/scene-ratios'

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { scenes: { type: 'string' }, seconds: { type: 'string', default: '120' } } })
  const chosen = values.scenes?.split(',')
  mkdirSync(cache, { recursive: true })
  const files = [...everydayScenes()].filter(([name]) => chosen?.includes(name) ?? true).map(([name, scene]) => {
    const file = join(cache, name + ENDING)
    writeFileSync(file, JSON.stringify(scene))
    return file
  })
  await printRatios(files, Number(values.seconds))
}
