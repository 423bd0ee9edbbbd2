import { fileURLToPath, URL } from 'node:url'
import { defineConfig } from 'electron-vite'
import { minify, type Plugin } from 'vite'
import vue from '@vitejs/plugin-vue'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** TypeScript and what takes types off with it, which the sandbox loads for scenes with scripts. */
const compilerChunk = 'typescript'

/** Our own code stays readable, for the sake of stack traces; the compiler's nine megabytes become half. */
function minifiedCompiler(): Plugin {
  return {
    name: 'cairn:minified-compiler',
    apply: 'build',
    async renderChunk(code, chunk) {
      return chunk.name === compilerChunk ? { code: (await minify(chunk.fileName, code, { module: true })).code, map: null } : null
    },
  }
}

/**
 * Three bundles in out/: main (ES modules for plain Node 20 and for Electron), preload (CommonJS, as a sandboxed preload has to be)
 * and renderer (static files with relative addresses, served alike by Electron's protocol and by the web host).
 *
 * The packages under "dependencies" stay outside the bundles and are shipped in node_modules; everything else that is imported is bundled
 * (TypeScript, which is shipped minified, among it). All of main's chunks lie side by
 * side, so that `new URL('./worker.js', import.meta.url)` finds the worker from each of them.
 */
export default defineConfig({
  main: {
    plugins: [minifiedCompiler()],
    build: {
      target: 'node20',
      sourcemap: true,
      externalizeDeps: { exclude: ['typescript', 'ts-blank-space'] },
      rolldownOptions: {
        input: {
          'main': at('main/shell/main.ts'),
          'engine-process': at('main/shell/engine-process.ts'),
          'worker': at('main/run/worker.ts'),
          'check-worker': at('main/run/check-worker.ts'),
          'sweep-worker': at('main/batch/sweep-worker.ts'),
          'decompose-worker': at('main/engine/decompose-worker.ts'),
          'cli': at('main/cli/main.ts'),
        },
        output: {
          entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js',
          codeSplitting: { groups: [{ name: compilerChunk, test: /[\\/]node_modules[\\/](typescript|ts-blank-space)[\\/]/ }] },
        },
      },
    },
  },
  preload: {
    build: {
      target: 'node24',
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: at('main/shell/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('renderer'),
    plugins: [vue()],
    worker: { format: 'es' },
    build: {
      target: 'es2023',
      minify: true,
      chunkSizeWarningLimit: 8000,
      rolldownOptions: { input: at('renderer/index.html'), checks: { pluginTimings: false } },
    },
  },
})
