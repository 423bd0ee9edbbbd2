/** All checks of a scene before it runs: those of `core`, and whether its scripts compile. */
import { ScriptError } from '../../core/dynamics/script-runtime'
import { check as checkScene, type CheckResult } from '../../core/simulation'
import type { Problem } from '../protocol/problem'

export async function check(text: string | object): Promise<{ problems: Problem[]; scene: CheckResult['scene'] }> {
  const { problems, scene } = checkScene(text)
  if (!scene || scene.scripts.length === 0) return { problems: [...problems], scene }
  const { compileScript } = await import('./script-source') // the parser is loaded only for scenes that have scripts
  const faults = scene.scripts.flatMap((script, index): Problem[] => {
    try {
      compileScript(script.id, script.source)
      return []
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      const { message, line, column } = error
      return [{
        name: 'ScriptError', severity: 'error', message, path: `scripts[${index}].source`, ids: [script.id], ...(line > 0 ? { line, column } : {}),
      }]
    }
  })
  return { problems: [...problems, ...faults], scene: faults.length > 0 ? null : scene }
}
