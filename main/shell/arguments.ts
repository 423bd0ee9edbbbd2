import { isAbsolute, resolve } from 'node:path'

const documentEnding = /\.(cairn|cairn\.json|json|mcap)$/i

/**
 * The document that a start names: the first argument that is no switch and ends like a scene or a recorded run (Chromium adds
 * switches of its own, a development start the application's folder). Absolute, or null.
 */
export function documentArgument(args: readonly string[], folder: string): string | null {
  const named = args.find(arg => !arg.startsWith('-') && documentEnding.test(arg))
  if (named === undefined) return null
  return isAbsolute(named) ? named : resolve(folder, named)
}
