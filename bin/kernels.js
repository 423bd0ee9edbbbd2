/** WebAssembly kernels from their AssemblyScript sources in kernels/, as a plugin for everything that vite loads or bundles. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PREFIX = 'kernel:'
/** No runtime: kernels allocate nothing, and use a memory passed to them. */
const OPTIONS = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noAssert']

/**
 * Initial size of a memory in pages of 64 KiB: enough for 70,000 contacts of 10,000 bodies. The system commits only used pages. Growing would detach
 * the old buffer, after which V8 checks every access to every typed array: steps of 1,000 bodies took 10 to 20 % longer.
 */
const PAGES = 1024

/**
 * Resolves `kernel:name` to a module with the kernel's `memory` and its functions. The bytes are embedded in the module: a kernel has one or two
 * kilobytes.
 *
 * @returns {import('vite').Plugin}
 */
export function kernels() {
  return {
    name: 'cairn:kernels',
    enforce: 'pre',
    resolveId: id => id.startsWith(PREFIX) ? `\0${id}` : null,
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return null
      const file = join(root, 'kernels', `${id.slice(PREFIX.length + 1)}.ts`)
      this.addWatchFile(file)
      const bytes = await compiled(file)
      const names = [...readFileSync(file, 'utf8').matchAll(/^export function (\w+)/gm)].map(match => match[1])
      return `export const memory = new WebAssembly.Memory({ initial: ${PAGES} })
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(${bytes.join()})), { env: { memory } })
${names.map(name => `export const ${name} = exports.${name}`).join('\n')}
`
    },
  }
}

/** Compiled once for each source and compiler version: loading the compiler takes seconds. */
async function compiled(/** @type {string} */ file) {
  const source = readFileSync(file, 'utf8')
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8'))
  const cached = join(root, 'node_modules/.cache/cairn-kernels', `${createHash('sha256').update([version, ...OPTIONS, source].join('\n')).digest('hex').slice(0, 16)}.wasm`)
  if (existsSync(cached)) return new Uint8Array(readFileSync(cached))
  const { main } = await import('assemblyscript/asc')
  /** @type {Uint8Array | null} */
  let bytes = null
  const { error, stderr } = await main(['kernel.ts', '--outFile', 'kernel.wasm', ...OPTIONS], {
    readFile: (/** @type {string} */ name) => name === 'kernel.ts' ? source : null,
    writeFile: (name, contents) => { if (name === 'kernel.wasm' && typeof contents !== 'string') bytes = contents },
    listFiles: () => [],
  })
  if (error !== null || bytes === null) throw new Error(`${file} does not compile: ${stderr.toString()}`)
  mkdirSync(dirname(cached), { recursive: true })
  // Several processes may compile at the same time: each writes another file first and renames it.
  const own = `${cached}.${process.pid}`
  writeFileSync(own, bytes)
  renameSync(own, cached)
  return new Uint8Array(bytes)
}
