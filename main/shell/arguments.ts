import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const documentEnding = /\.(cairn|cairn\.json|json|mcap)$/i

/**
 * The documents that a start names: arguments that are no switch and end like a scene or a recorded run (Chromium adds switches of its own, a development start
 * the application's folder). Linux desktops name files by `file://` addresses [Desktop Entry Specification, "The Exec key", %U]. Absolute paths, each once.
 */
export function documentArguments(args: readonly string[], folder: string): string[] {
  const paths = args.filter(arg => !arg.startsWith('-')).flatMap(arg => {
    const path = arg.startsWith('file:') ? pathOf(arg) : arg
    return path !== null && documentEnding.test(path) ? [isAbsolute(path) ? path : resolve(folder, path)] : []
  })
  return [...new Set(paths)]
}

/** Null for addresses that are not local files. */
function pathOf(address: string): string | null {
  try {
    return fileURLToPath(address)
  } catch {
    return null
  }
}
