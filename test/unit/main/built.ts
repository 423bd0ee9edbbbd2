/** The command line and the run's worker as they are shipped: bundled once for whatever tests need real threads and processes. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const cache = join(root, 'node_modules/.cache')

export interface Built {
  readonly cli: string
  readonly worker: URL
  readonly sweepWorker: URL
  readonly decomposeWorker: URL
}

export async function built(): Promise<Built> {
  const folder = join(cache, `cairn-tests-${Math.max(newest(join(root, 'core')), newest(join(root, 'main')))}`)
  if (!existsSync(join(folder, '.done'))) await bundle(folder)
  return {
    cli: join(folder, 'main/cli.js'), worker: pathToFileURL(join(folder, 'main/worker.js')),
    sweepWorker: pathToFileURL(join(folder, 'main/sweep-worker.js')),
    decomposeWorker: pathToFileURL(join(folder, 'main/decompose-worker.js')),
  }
}

/** A folder of a test's own. */
export const scratch = () => mkdtempSync(join(tmpdir(), 'cairn-test-'))

async function bundle(folder: string): Promise<void> {
  for (const old of readdirSync(cache).filter(name => name.startsWith('cairn-tests-'))) {
    const path = join(cache, old)
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 3_600_000) rmSync(path, { recursive: true, force: true })
  }
  const aside = join(cache, `cairn-building-${process.pid}`)
  await build({
    configFile: false, root, logLevel: 'warn',
    build: {
      ssr: true, target: 'node20', outDir: join(aside, 'main'), emptyOutDir: true, minify: false,
      rolldownOptions: {
        input: { 'worker': join(root, 'main/run/worker.ts'), 'sweep-worker': join(root, 'main/batch/sweep-worker.ts'), 'check-worker': join(root, 'main/run/check-worker.ts'), 'decompose-worker': join(root, 'main/engine/decompose-worker.ts'), 'cli': join(root, 'main/cli/main.ts') },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  writeFileSync(join(aside, '.done'), '')
  try {
    renameSync(aside, folder)
  } catch {
    rmSync(aside, { recursive: true, force: true }) // another test file was faster
  }
}

function newest(path: string): number {
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(join(path, name))), status.mtimeMs)
}


export const scenes = join(root, 'scenes')
