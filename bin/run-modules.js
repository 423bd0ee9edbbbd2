/** Runs TypeScript modules of test/ on Node, through vite, for benchmarks and similar tools. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { kernels } from './kernels.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Loads one file (path from the repository's root) and awaits its default export, a function, with the arguments. */
export async function runModule(/** @type {string} */ path, /** @type {string[]} */ args = []) {
  const { module } = await runnerImport(join(root, path), {
    root, configFile: false, logLevel: 'error', plugins: [kernels()],
  })
  const { default: main } = /** @type {{ default?: (args: string[]) => unknown }} */ (module)
  if (typeof main !== 'function') throw new Error(`${path} has no default function to run.`)
  await main(args)
}

/** Names (without ending) of the modules in a folder. */
export function modulesIn(/** @type {string} */ folder) {
  const path = join(root, folder)
  return existsSync(path) ? readdirSync(path).filter(name => name.endsWith('.ts')).map(name => basename(name, '.ts')).sort() : []
}
