/** Changes to a scene from the command line: `--duration 2`, `--set bodies[0].position[2]=3`. */
import { withValues, type SceneValue } from '../batch/set-values'
import { usage } from './output'

export type Override = SceneValue

/** `path=value`; the value is JSON, or else a text. */
export function parseOverride(text: string): Override {
  const at = text.indexOf('=')
  if (at <= 0) throw usage(`--set is "${text}".`, 'path=value, e.g. simulation.duration=2')
  const value = text.slice(at + 1)
  try {
    return { path: text.slice(0, at), value: JSON.parse(value) as unknown }
  } catch {
    return { path: text.slice(0, at), value }
  }
}

/** The scene's text with the changes, by `withValues`. */
export function applyOverrides(text: string, overrides: readonly Override[]): string {
  return withValues(text, overrides)
}
