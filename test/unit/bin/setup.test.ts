import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
let tree = ''

/** Replaces npm: records its arguments and installs the packages of the lock file, or fails. */
const npm = `
const { appendFileSync, cpSync, existsSync, mkdirSync } = require('node:fs')
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
if (existsSync('npm-fails')) process.exit(1)
mkdirSync('node_modules/a', { recursive: true })
cpSync('package-lock.json', 'node_modules/.package-lock.json')
`

function put(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

function lock(version: string): string {
  return JSON.stringify({ packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { version: '1.0.0', optional: true } } })
}

function setup(): { status: number | null; npmCalls: string[] } {
  const { status } = spawnSync(process.execPath, [join(tree, 'bin/setup.js')], { cwd: tree, env: { ...process.env, npm_execpath: join(tree, 'npm.cjs.js') } })
  const log = join(tree, 'npm.log')
  return { status, npmCalls: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [] }
}

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'cairn-setup-'))
  cpSync(join(root, 'bin'), join(tree, 'bin'), { recursive: true })
  put('bin/build.js', 'export function build() {}')
  put('bin/package.json', '{ "type": "module" }')
  put('npm.cjs.js', npm)
  put('package-lock.json', lock('1.0.0'))
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

it('installs on a fresh clone, once', () => {
  expect(setup()).toEqual({ status: 0, npmCalls: ['ci --loglevel=error'] })
  expect(setup().npmCalls).toHaveLength(1)
})

it('installs again when the lock file changed', () => {
  setup()
  put('package-lock.json', lock('1.1.0'))
  expect(setup().npmCalls).toHaveLength(2)
})

it('does nothing if the packages agree with the lock file', () => {
  put('node_modules/a/package.json', '{}')
  put('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } })) // package b is for another platform
  expect(setup()).toEqual({ status: 0, npmCalls: [] })
})

it('stops, and tries again the next time, when the packages cannot be installed', () => {
  put('npm-fails', '')
  expect(setup().status).toBe(1)
  rmSync(join(tree, 'npm-fails'))
  expect(setup()).toMatchObject({ status: 0, npmCalls: { length: 2 } })
})
