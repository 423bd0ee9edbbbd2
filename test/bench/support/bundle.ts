import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { kernels } from '../../../bin/kernels.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * A worker of the benchmarks as one file, as the application ships its own: modules that are loaded one by one run slower.
 *
 * @param worker path from the repository's root
 * @param folder where the file is to lie, within node_modules: packages are imported from there
 * @returns its path
 */
export async function bundle(worker: string, folder: string): Promise<string> {
  const file = bundled(worker, folder)
  await build({
    root, configFile: false, logLevel: 'error', plugins: [kernels()],
    build: { ssr: join(root, worker), outDir: folder, emptyOutDir: false, target: 'node20', minify: false, rollupOptions: { output: { entryFileNames: basename(file) } } },
  })
  return file
}

/** Where {@link bundle} puts it. */
export function bundled(worker: string, folder: string): string {
  return join(folder, `cairn-${worker.replace(/\.ts$/, '').replaceAll('/', '-')}.mjs`)
}
