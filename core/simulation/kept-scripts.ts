/** Scripts that are loaded once, although their world may be compiled several times: they are pure functions of time and state. */

import type { LoadedScript, ScriptParameters, ScriptRuntime } from '../dynamics/script-runtime'

export class KeptScripts implements ScriptRuntime {
  private readonly loaded: LoadedScript[] = []
  private next = 0

  constructor(private readonly runtime: ScriptRuntime) {}

  /** The world is compiled again and requests its scripts in the same order. */
  again(): this {
    this.next = 0
    return this
  }

  load(id: string, source: string, bodyIds: readonly string[], seed: number, parameters?: ScriptParameters): LoadedScript {
    return this.loaded[this.next++] ??= this.runtime.load(id, source, bodyIds, seed, parameters)
  }

  dispose(): void {
    this.runtime.dispose()
  }
}
