/** Folder of a user's runs, autosaves and recent files. */
import { accessSync, constants, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { HostError } from '../protocol/host'
import { systemReason } from '../protocol/problem-file'

/** `CAIRN_HOME`, or the operating system's place for application data. */
export function homeFolder(environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (environment.CAIRN_HOME) return environment.CAIRN_HOME
  const home = homedir()
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Cairn')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Cairn')
  return join(environment.XDG_CACHE_HOME ?? join(home, '.cache'), 'cairn')
}

/**
 * The folder of that name in the home, created if missing, private to the user.
 * @throws HostError `HomeNotWritable` if it cannot be created or written
 */
export function folderIn(home: string, name: string): string {
  const folder = join(home, name)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const message = `The folder "${name}", where Cairn keeps its data, cannot be used: ${systemReason(error)}.`
    throw new HostError('HomeNotWritable', message, [{
      name: 'HomeNotWritable', severity: 'error', message, path: '', file: folder, value: folder, ids: [],
      allowed: 'a folder that can be written to; CAIRN_HOME names another',
    }])
  }
  return folder
}
