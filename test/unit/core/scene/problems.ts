/** Problems that reading a scene reports. */
import { parseScene, type Problem } from '../../../../core/scene'

export function problemsOf(source: string | object): readonly Problem[] {
  const result = parseScene(source)
  return result.ok ? result.warnings : result.problems
}
