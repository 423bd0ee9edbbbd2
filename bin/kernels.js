/** WebAssembly kernels from their AssemblyScript sources in kernels/, as a plugin for everything that vite loads or bundles. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PREFIX = 'kernel:'
/** No runtime: kernels allocate nothing, and work in a memory that they are given. */
const OPTIONS = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noAssert']

/**
 * Pages of 64 KiB that a memory starts with: enough for 70,000 contacts of 10,000 bodies. The system commits only those that are used. Growing detaches the old
 * buffer, after which V8 checks every access to every typed array: steps of 1,000 bodies took 10 to 20 % longer.
 */
const PAGES = 1024

/**
 * Resolves `kernel:name` to a module with the kernel's `memory` and its functions. The bytes lie in the module itself: a kernel has a kilobyte or two.
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

/** Compiled once for a source and a compiler: the compiler takes seconds to load. */
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
  // Several processes may compile at once: each puts its file in place whole.
  const own = `${cached}.${process.pid}`
  writeFileSync(own, bytes)
  renameSync(own, cached)
  return new Uint8Array(bytes)
}
