/** Finds a browser of the Chromium family, for the end-to-end tests and for pictures. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge', 'brave-browser']

const elsewhere = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter(folder => folder !== undefined)
    .flatMap(folder => [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Microsoft/Edge/Application/msedge.exe')]),
}

/** Path of an installed browser, or undefined. CAIRN_CHROMIUM takes precedence. */
export async function findChromium() {
  const named = process.env.CAIRN_CHROMIUM
  if (named) return existsSync(named) ? named : undefined
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
  const candidates = [
    ...names.flatMap(name => [...folders, '/usr/bin', '/snap/bin', join(homedir(), '.local/bin')].map(folder => join(folder, name))),
    ...(process.platform === 'darwin' ? elsewhere.darwin : process.platform === 'win32' ? elsewhere.win32 : []),
  ]
  return candidates.find(path => existsSync(path)) ?? await playwrightChromium()
}

async function playwrightChromium() {
  try {
    const { chromium } = await import('playwright-core')
    const path = chromium.executablePath()
    return existsSync(path) ? path : undefined
  } catch {
    return undefined // not installed, or none for this platform
  }
}
