#!/usr/bin/env node
/**
 * Every check and every test: lint, types, import rules and vitest's projects, at the same time. Each check counts as one test in the last line,
 * `N passed, N failed`, which stands alone; the exit code is 1 if anything failed. `--long` runs the tests that take long instead, `--all` everything;
 * other arguments are handed on to vitest.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tool = (/** @type {string} */ path) => join(root, 'node_modules', path)

const checks = {
  'lint': [tool('eslint/bin/eslint.js'), '.', '--cache', '--cache-location', 'node_modules/.cache/eslint/'],
  'types': [join(root, 'bin/typecheck.js')],
  'imports': [tool('dependency-cruiser/bin/dependency-cruise.mjs'), 'core', 'main', 'renderer', 'bin', '--config', '.dependency-cruiser.cjs'],
}

const [first = ''] = process.argv.slice(2)
const extent = first === '--long' || first === '--all' ? first : ''
const handedOn = process.argv.slice(extent === '' ? 2 : 3)
const tags = extent === '--all' ? [] : ['--tags-filter', extent === '--long' ? 'long' : '!long']

let passed = 0
let failed = 0
const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
const record = join(folder, 'counts.json')
const tests = spawn(process.execPath, [
  tool('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=./bin/count-reporter.js', ...tags, ...handedOn,
], { cwd: root, stdio: ['ignore', 1, 2], env: { ...process.env, CAIRN_TEST_COUNTS: record } })
/** @type {Promise<number | null>} */
const ended = new Promise((done, fail) => tests.on('error', fail).on('close', done))

if (extent !== '--long') await Promise.all(Object.entries(checks).map(async ([name, command]) => {
  const started = Date.now()
  const { code, output } = await run(command)
  process.stderr.write(`${output}${code === 0 ? '✓' : '✗'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`)
  if (code === 0) passed++
  else failed++
}))

const status = await ended
const counts = readCounts()
passed += counts.passed
failed += counts.failed
if (status !== 0 && counts.failed === 0) failed++ // vitest itself failed
for (const reason of counts.skipped) console.log(`skipped: ${reason}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/**
 * @param {string[]} command
 * @returns {Promise<{ code: number | null, output: string }>} with its buffered output
 */
function run(command) {
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { output += text })
  return new Promise((done, fail) => child.on('error', fail).on('close', code => done({ code, output })))
}

/** @returns {{ passed: number, failed: number, skipped: string[] }} */
function readCounts() {
  try {
    return JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    return { passed: 0, failed: 0, skipped: [] } // vitest ended before it could count
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
