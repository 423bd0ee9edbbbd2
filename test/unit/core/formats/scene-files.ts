/** Every scene of the gallery and of the verification suite. */

import { readdirSync, readFileSync } from 'node:fs'
import { requireScene, resolveScene, type ResolvedScene } from '../../../../core/scene'

export const sceneFiles: readonly string[] = ['scenes', 'scenes/verification']
  .flatMap(folder => readdirSync(folder).filter(name => name.endsWith('.cairn.json')).map(name => `${folder}/${name}`))

export function readScene(file: string): ResolvedScene {
  return resolveScene(requireScene(readFileSync(file, 'utf8')))
}
