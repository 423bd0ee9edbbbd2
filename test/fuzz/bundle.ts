/** Bundles the thread of the trials as the application's threads are bundled. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { kernels } from '../../bin/kernels.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

export async function trialWorker(): Promise<URL> {
  const folder = join(root, `node_modules/.cache/cairn-fuzz-${process.pid}`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await build({
    configFile: false, root, logLevel: 'error', plugins: [kernels()],
    build: {
      ssr: true, target: 'node20', outDir: folder, emptyOutDir: true, minify: false,
      rolldownOptions: { input: { worker: join(root, 'test/fuzz/worker.ts') }, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
  return pathToFileURL(join(folder, 'worker.js'))
}
