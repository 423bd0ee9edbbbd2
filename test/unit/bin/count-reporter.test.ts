import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** Runs vitest on these files in a separate folder. @returns the reporter's counts */
function count(files: Record<string, string>): { passed: number; failed: number; skipped: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-count-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `import { describe, expect, it } from 'vitest'\n${text}\n`)
    const record = join(folder, 'counts.json')
    spawnSync(process.execPath, [
      join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, `--reporter=${join(root, 'bin/count-reporter.js')}`,
    ], { cwd: folder, env: { ...process.env, CAIRN_TEST_COUNTS: record } })
    return JSON.parse(readFileSync(record, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it('counts passed and failed tests, and gives the reasons of skipped ones', () => {
  expect(count({
    'a.test.ts': `
      it('holds', () => {}); it('holds too', () => {}); it('fails', () => expect(1).toBe(2))
      it('waits', context => context.skip('no binary'))
      it('expects what is', () => expect(1).toBe(1))`,
  })).toEqual({ passed: 3, failed: 1, skipped: ['waits (no binary)'] })
})

it('counts a file that does not load, a broken setup and an error outside of any test as failures', () => {
  expect(count({
    'a.test.ts': "throw new Error('no')",
    'b.test.ts': "it('holds', () => {})",
    'c.test.ts': "import { beforeAll } from 'vitest'\ndescribe('broken', () => { beforeAll(() => { throw new Error('no') })\nit('is not run', () => {}) })",
    'd.test.ts': "it('leaks', () => { setTimeout(() => { throw new Error('late') }, 0); return new Promise(r => setTimeout(r, 50)) })",
  })).toMatchObject({ passed: 2, failed: 3 })
})
