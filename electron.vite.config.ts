import { fileURLToPath, URL } from 'node:url'
import { defineConfig } from 'electron-vite'
import { minify, type Plugin, type Rollup } from 'vite'
import vue from '@vitejs/plugin-vue'
import { kernels } from './bin/kernels.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Chunk of a library, so that it is loaded only where it is used; null for Cairn's own code. */
function libraryChunk(id: string): string | null {
  const name = /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*[\\/]node_modules[\\/])/.exec(id)?.[1]
  return name === undefined ? null : `library-${name.replace('@', '').replace(/[\\/]/, '-')}`
}

/**
 * Minifies libraries, to half their size. Cairn's own code only loses its white space, a fifth of it: stack traces keep the names of functions,
 * and `npm run trace` finds their lines by the source maps, which stay outside the archive.
 */
function smallChunks(): Plugin {
  return {
    name: 'cairn:small-chunks',
    apply: 'build',
    async renderChunk(code, chunk) {
      if (chunk.name.startsWith('library-')) return { code: (await minify(chunk.fileName, code, { module: true })).code, map: null }
      const whiteSpaceOnly = { compress: false, mangle: false, codegen: { removeWhitespace: true } }
      const { code: small, map } = await minify(chunk.fileName, code, { module: true, ...whiteSpaceOnly, sourcemap: true })
      return { code: small, map: map as Rollup.SourceMapInput }
    },
  }
}

/** Rapier contains its WebAssembly as base64, a third larger than the binary: the build writes it to a file beside the code. */
function rapierBesideItsCode(): Plugin {
  return {
    name: 'cairn:rapier-beside-its-code',
    apply: 'build',
    transform(code, id) {
      if (!/rapier3d-compat[\\/]dist[\\/]rapier\.mjs$/.test(id)) return null
      const [text, base64] = /[\w$]+\.toByteArray\("(AGFzb[\w+/=]+)"\)\.buffer/.exec(code) ?? this.error('rapier.mjs no longer contains its WebAssembly as the expected base64 call.')
      this.emitFile({ type: 'asset', fileName: 'rapier.wasm', source: Buffer.from(base64!, 'base64') })
      const read = `$readWebAssembly(new URL('./rapier.wasm', import.meta.url))`
      return { code: `import { readFileSync as $readWebAssembly } from 'node:fs';${code.replace(text, () => read)}`, map: null }
    },
  }
}

/** Omits the statements for PostgreSQL (a quarter of a megabyte) from BullMQ: queues of studies are in Redis. */
function withoutPostgres(): Plugin {
  return {
    name: 'cairn:without-postgres',
    apply: 'build',
    load: id => /bullmq[\\/]dist[\\/]esm[\\/]postgres[\\/]sql-scripts\.js$/.test(id) ? 'export const SQL_COMMANDS = {}, SQL_MIGRATIONS = {}' : null,
  }
}

/** Omits TypeScript's declarations of the DOM and of workers (two megabytes) from the editor, since scripts can use the language only. */
function withoutBrowserTypes(): Plugin {
  return {
    name: 'cairn:without-browser-types',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) => /monaco-editor[\\/].*typescript[\\/]lib[\\/]lib\.js$/.test(id)
      ? { code: code.replace(/^libFileMap\["lib\.(?:dom|webworker|scripthost)[\w.]*"\] = (?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`);$/gm, ''), map: null } : null,
  }
}

/**
 * Three bundles in out/: main (ES modules for plain Node 20 and for Electron), preload (CommonJS, as a sandboxed preload has to be)
 * and renderer (static files with relative addresses, served alike by Electron's protocol and by the web host).
 *
 * The packages under "dependencies" load files of their own: they are not bundled but shipped in node_modules. Every other import is
 * bundled, each library in a chunk of its own. All chunks of main are in one folder, so that `new URL('./worker.js', import.meta.url)`
 * finds the worker from each of them.
 */
export default defineConfig({
  main: {
    plugins: [kernels(), rapierBesideItsCode(), withoutPostgres(), smallChunks()],
    build: {
      target: 'node20',
      sourcemap: true,
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
          // Rolldown's own dead-code pass would restore the libraries' white space; `smallChunks` removes dead code too.
          minify: false, comments: false,
          entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js',
          codeSplitting: { groups: [{ name: libraryChunk, debugName: 'libraries' }] },
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
    worker: { format: 'es', plugins: () => [withoutBrowserTypes()] },
    build: {
      target: 'es2023',
      minify: true,
      chunkSizeWarningLimit: 8000,
      rolldownOptions: { input: at('renderer/index.html'), checks: { pluginTimings: false } },
    },
  },
})
