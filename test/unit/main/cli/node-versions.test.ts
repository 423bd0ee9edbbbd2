// @module-tag long
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built, scratch } from '../built'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const scenes = fileURLToPath(new URL('../../../../scenes/', import.meta.url))
const major = process.versions.node.startsWith('24.') ? 20 : 24
/** Path of the other version's binary, or the reason why it is missing. */
let other = { path: '', obstacle: '' }
let cli = ''
beforeAll(async () => {
  cli = built().cli
  const found = spawnSync('npx', ['--yes', `node@${major}`, '-p', 'process.execPath'], { encoding: 'utf8', cwd: folder, timeout: 60_000 })
  other = found.status === 0 ? { path: found.stdout.trim(), obstacle: '' } : { path: '', obstacle: found.error?.message ?? found.stderr.trim().split('\n').at(-1)! }
}, 120_000)

function finalHash(node: string, scene: string, duration: number, ...options: string[]): string {
  const file = join(folder, `${scene}-${node === process.execPath ? 'here' : 'there'}.mcap`)
  const { stdout } = spawnSync(node, [
    cli, 'simulate', join(scenes, `${scene}.cairn.json`), '-o', file, '--duration', String(duration), '--json', ...options,
  ], { encoding: 'utf8', timeout: 50_000, killSignal: 'SIGKILL' })
  const { status, finalHash } = JSON.parse(stdout) as { status: string; finalHash: string }
  expect(status).toBe('completed')
  return finalHash
}

describe('one scene in two processes', () => {
  it.each([['event-driven', 'peg'], ['time-stepping', 'peg'], ['time-stepping', 'standard']])('gives equal hashes: %s, %s', (method, model) => {
    const hash = (): string => finalHash(process.execPath, 'jack-down-stairs', 0.3, '--method', method, '--contact-model', model)
    expect(hash()).toBe(hash())
  }, 120_000)
})

describe('one scene on two versions of Node', () => {
  // Impacts and friction; joints with impacts; a script in the sandbox; a chaotic motion, in which any difference of rounding would grow.
  const cases = { 'jack-down-stairs': 1.5, 'newtons-cradle': 1, 'pushed-pendulum': 2, 'double-pendulum': 3 }
  for (const [scene, duration] of Object.entries(cases)) {
    it(`gives equal hashes: ${scene}`, context => {
      if (other.obstacle !== '') context.skip(`Node ${major} could not be had: ${other.obstacle}`)
      expect(finalHash(other.path, scene, duration)).toBe(finalHash(process.execPath, scene, duration))
    }, 120_000)
  }
})
