/**
 * Cairn as packed by electron-builder. In place of Electron's binary, which is not available everywhere, there is a file of the same name that
 * contains only the fuses [@electron/fuses], so that packing, archive and fuses are the real ones.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { extractAll, listPackage, statFile } from '@electron/asar'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Marks the fuses in Electron's binary; behind it a version, their number, and one character each. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuseCount = 16

export interface Packed {
  /** The archive's files and their bytes, by path from its root. */
  readonly files: ReadonlyMap<string, number>
  readonly archiveBytes: number
  /** The unpacked contents of the archive, outside the reach of other node_modules. */
  readonly app: string
  /** One character a fuse, in Electron's order: 1 on, 0 off. */
  readonly fuses: string
  remove(): void
}

export async function packed(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-packed-'))
  const electron = join(folder, 'electron')
  mkdirSync(join(electron, 'resources'), { recursive: true })
  mkdirSync(join(electron, 'locales'))
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')) as { version: string }
  for (const [name, content] of [['version', version], ['LICENSE', ''], ['LICENSES.chromium.html', '']] as const) writeFileSync(join(electron, name), content)
  const fuses = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, fuseCount]), Buffer.alloc(fuseCount, '0')])
  writeFileSync(join(electron, 'electron'), fuses, { mode: 0o755 })

  await promisify(execFile)(process.execPath, [
    join(root, 'node_modules/electron-builder/cli.js'), '--linux', 'dir', '--publish', 'never',
    `-c.electronDist=${electron}`, `-c.directories.output=${join(folder, 'release')}`,
  ], { cwd: root, maxBuffer: 16 * 1024 * 1024 })

  const unpacked = join(folder, 'release/linux-unpacked')
  const archive = join(unpacked, 'resources/app.asar')
  const files = new Map(listPackage(archive, { isPack: false }).map(path => path.replace(/^[/\\]/, '').replaceAll('\\', '/')).flatMap(path => {
    const entry = statFile(archive, path)
    return 'size' in entry ? [[path, entry.size] as const] : []
  }))
  const app = join(folder, 'app')
  extractAll(archive, app)
  const binary = readFileSync(join(unpacked, 'cairn'))
  const at = binary.indexOf(sentinel) + sentinel.length + 2
  return {
    files, app, archiveBytes: readFileSync(archive).length, fuses: binary.subarray(at, at + fuseCount).toString('latin1'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
