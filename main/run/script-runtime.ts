/** The interpreter for a scene's scripts. Loading it takes time, so scenes without scripts do without it. */
import type { ScriptRuntime } from '../../core/dynamics/script-runtime'
import { parseScene } from '../../core/scene'

/** @param activity one word, odd while a script runs */
export async function scriptRuntimeFor(scene: string, activity: Int32Array): Promise<ScriptRuntime> {
  // A scene whose text does not contain the key has no scripts, and need not be parsed.
  const parsed = scene.includes('"scripts"') ? parseScene(scene) : null
  if (parsed?.ok && parsed.resolved.scripts.length > 0) return (await import('./sandbox')).createScriptRuntime({ activity })
  return {
    load: id => {
      throw new Error(`There is no script "${id}".`)
    },
    dispose: () => undefined,
  }
}
