import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
let tree = ''

/** Replaces electron-vite's command: copies one source, or fails if the source says so. */
const builder = `
const { readFileSync, mkdirSync, writeFileSync } = require('node:fs')
const out = process.argv[process.argv.indexOf('--outDir') + 1]
const text = readFileSync('core/a.ts', 'utf8')
if (text === 'broken') process.exit(1)
mkdirSync(out + '/main', { recursive: true })
writeFileSync(out + '/main/cli.js', 'console.log(' + JSON.stringify(text) + ', process.argv.slice(2).join())')
`

function put(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(tree, 'bin', script), ...args], { cwd: tree, encoding: 'utf8' })
  return { status, stdout, stderr }
}

/** Sets its modification time to `seconds` from now. */
function touch(path: string, seconds: number): void {
  const time = Date.now() / 1000 + seconds
  utimesSync(join(tree, path), time, time)
}

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'cairn-build-'))
  cpSync(join(root, 'bin'), join(tree, 'bin'), { recursive: true })
  put('package.json', '{ "type": "module" }')
  put('node_modules/electron-vite/package.json', '{ "type": "commonjs" }')
  put('node_modules/electron-vite/bin/electron-vite.js', builder)
  put('core/a.ts', 'first')
})
afterEach(() => rmSync(tree, { recursive: true, force: true }))

describe('the launcher', () => {
  it('says what to do, and exits with 2, when nothing is built', () => {
    expect(run('cairn.js', 'validate', 'x.json')).toEqual({
      status: 2, stdout: '', stderr: 'Cairn is not built: run npm start or npm run build first.\n',
    })
  })

  it('passes the arguments to the built command line', () => {
    run('build.js')
    expect(run('cairn.js', 'validate', 'x.json')).toMatchObject({ status: 0, stdout: 'first validate,x.json\n', stderr: '' })
  })

  it.runIf(process.getuid?.() === 0)('says on standard error why open gives no window', () => {
    run('build.js')
    expect(run('cairn.js', 'open')).toMatchObject({ status: 0, stdout: 'first open\n', stderr: 'Web host: Electron does not run as root.\n' })
  })
})

describe('the build', () => {
  const built = () => readFileSync(join(tree, 'out/main/cli.js'), 'utf8')

  it('is made once, and again when a source is newer, gone, or --force is given', () => {
    expect(run('build.js').stderr).toMatch(/Building/)
    expect(run('build.js').stderr).toBe('')
    put('core/a.ts', 'second')
    touch('core/a.ts', 10)
    expect(run('build.js').stderr).toMatch(/Building/)
    expect(built()).toContain('second')
    touch('core/a.ts', -10)
    expect(run('build.js').stderr).toBe('')
    touch('core', 10) // what deleting a file in it does
    expect(run('build.js').stderr).toMatch(/Building/)
    touch('core', -10)
    expect(run('build.js', '--force').stderr).toMatch(/Building/)
  })

  it('leaves the previous build complete if it fails, and no temporary files', () => {
    run('build.js')
    put('core/a.ts', 'broken')
    touch('core/a.ts', 10)
    expect(run('build.js')).toMatchObject({ status: 1, stderr: expect.stringContaining('The build failed') })
    expect(built()).toContain('first')
    expect(readdirSync(tree).filter(name => name.startsWith('.out'))).toEqual([])
    expect(existsSync(join(tree, 'node_modules/.cache/cairn-build.lock'))).toBe(false)
  })

  it('continues after a killed build that left its lock', () => {
    put('node_modules/.cache/cairn-build.lock', '999999999')
    expect(run('build.js').status).toBe(0)
    expect(built()).toContain('first')
  })
})
