/** Finds an installed Chromium-based browser. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'brave-browser']

/** Below the user's application folder and the program folders, on Windows. */
const onWindows = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe', 'Chromium\\Application\\chrome.exe']

const onMac = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** Its path, or null. CAIRN_CHROMIUM takes precedence, even if there is nothing at its path. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): string | null {
  const named = environment.CAIRN_CHROMIUM
  if (named !== undefined && named !== '') return existsSync(named) ? named : null
  return candidates(environment, platform).find(path => existsSync(path)) ?? null
}

function candidates(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === 'win32') {
    const roots = [environment.PROGRAMFILES, environment['PROGRAMFILES(X86)'], environment.LOCALAPPDATA].filter(root => root !== undefined)
    return roots.flatMap(root => onWindows.map(path => join(root, path)))
  }
  const folders = [...(environment.PATH ?? '').split(delimiter).filter(folder => folder !== ''), '/usr/bin', '/snap/bin', join(homedir(), '.local/bin')]
  return [...names.flatMap(name => folders.map(folder => join(folder, name))), ...(platform === 'darwin' ? onMac : [])]
}
