/** Where a person's runs, autosaves and recent files are kept. */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** `CAIRN_HOME`, or the place that the operating system has for such things. */
export function homeFolder(environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string {
  if (environment.CAIRN_HOME) return environment.CAIRN_HOME
  const home = homedir()
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'Cairn')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'Cairn')
  return join(environment.XDG_CACHE_HOME ?? join(home, '.cache'), 'cairn')
}

/** The folder of that name in the home, made if it is missing; nobody else may look inside. */
export function folderIn(home: string, name: string): string {
  const folder = join(home, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
