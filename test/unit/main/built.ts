/** The command line and the run's worker as shipped, for tests that need real threads and processes: built if a source is newer. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from '../../../bin/build.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = join(root, 'out/main')
export const scenes = join(root, 'scenes')

export interface Built {
  readonly cli: string
  readonly worker: URL
  readonly sweepWorker: URL
  readonly decomposeWorker: URL
}

export function built(): Built {
  build()
  const worker = (name: string) => pathToFileURL(join(folder, name))
  return { cli: join(folder, 'cli.js'), worker: worker('worker.js'), sweepWorker: worker('sweep-worker.js'), decomposeWorker: worker('decompose-worker.js') }
}

/** A temporary folder for one test. */
export const scratch = () => mkdtempSync(join(tmpdir(), 'cairn-test-'))
