import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const documentEnding = /\.(cairn|cairn\.json|json|mcap)$/i

/**
 * The documents named by the command line: arguments that are not switches and have the extension of a scene or of a recorded run. (Chromium adds switches, and
 * a development start adds the application's folder.) Linux desktops pass `file://` addresses [Desktop Entry Specification, "The Exec key", %U]. Returns
 * absolute paths, without duplicates.
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
