/** Why a scene has nothing to simulate. */

import { problemSentence, type Scene } from '../../core/scene'
import type { Problem } from '../../main/protocol/problem'
import { useProblems } from './problems'
import { bodiesOf } from './scene-access'

/** Null if something is there. An empty scene may stand in place of a file that could not be opened. */
export function nothingToRun(scene: Scene): Problem | null {
  if (bodiesOf(scene).length > 0 || (scene.deformables?.length ?? 0) > 0) return null
  const { unopened } = useProblems()
  const message = unopened === null ? 'There is nothing to simulate yet: add a shape (Shift+A), open an example, or drop a file.'
    : `There is nothing to simulate, since ${unopened.name} cannot be opened: ${problemSentence(unopened.first)}. Correct the file and open it again.`
  return { name: 'NothingToSimulate', severity: 'error', message, path: '', ids: [] }
}
