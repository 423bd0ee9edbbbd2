/** The interpreter for a scene's scripts. Loading it takes time, so scenes without scripts do without it. */
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import type { ParseResult } from '../../core/scene'

/** @param activity one word, odd while a script runs */
export async function scriptRuntimeFor(parsed: ParseResult, activity: Int32Array): Promise<ScriptRuntime> {
  if (parsed.ok && parsed.resolved.scripts.length > 0) return (await import('./sandbox')).createScriptRuntime({ activity })
  return {
    load: id => {
      throw new Error(`There is no script "${id}".`)
    },
    dispose: () => undefined,
  }
}
