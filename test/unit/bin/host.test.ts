import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canInstall, electronBinary, whyNoWindow } from '../../../bin/host.js'

const desktop = { args: [] as string[], uid: 1000, platform: 'linux', env: { DISPLAY: ':0' } }

describe('whether cairn open gets a window', () => {
  it('does on a desktop, as a person', () => {
    expect(whyNoWindow(desktop)).toBeUndefined()
    expect(whyNoWindow({ ...desktop, env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBeUndefined()
    expect(whyNoWindow({ ...desktop, platform: 'darwin', env: {} })).toBeUndefined()
    expect(whyNoWindow({ ...desktop, platform: 'win32', uid: undefined, env: {} })).toBeUndefined()
  })

  it('does not as root, nor without a display', () => {
    expect(whyNoWindow({ ...desktop, uid: 0 })).toMatch(/root/)
    expect(whyNoWindow({ ...desktop, env: {} })).toMatch(/no display/)
    expect(whyNoWindow({ ...desktop, env: { DISPLAY: '' } as never })).toMatch(/no display/)
  })

  it.each([['--web'], ['--port', '8080'], ['--port=8080'], ['--no-browser']])('does not when %s asks for the web host', (...args) => {
    expect(whyNoWindow({ ...desktop, args: ['scene.cairn.json', ...args] })).toMatch(/asks for it/)
  })
})

it.each([['20.20.2', false], ['22.11.0', false], ['22.12.0', true], ['24.0.0', true]])('Node %s can install Electron: %s', (version, able) => {
  expect(canInstall(version)).toBe(able)
})

it("finds Electron's binary where its installer records it, and none before that", () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-electron-'))
  try {
    expect(electronBinary(folder)).toBeUndefined()
    writeFileSync(join(folder, 'path.txt'), 'Electron.app/Contents/MacOS/Electron')
    expect(electronBinary(folder)).toBeUndefined()
    mkdirSync(join(folder, 'dist/Electron.app/Contents/MacOS'), { recursive: true })
    writeFileSync(join(folder, 'dist/Electron.app/Contents/MacOS/Electron'), '')
    expect(electronBinary(folder)).toBe(join(folder, 'dist/Electron.app/Contents/MacOS/Electron'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
