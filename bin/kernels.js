/** WebAssembly kernels from their AssemblyScript sources in kernels/, as a plugin for everything that vite loads or bundles. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'kernels')
const PREFIX = 'kernel:'
/** No runtime: kernels allocate nothing, and use a memory passed to them. */
const OPTIONS = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--importMemory', '--noAssert']

/**
 * Initial size of a memory in pages of 64 KiB: enough for 70,000 contacts of 10,000 bodies. The system commits only used pages. Growing would detach
 * the old buffer, after which V8 checks every access to every typed array: steps of 1,000 bodies took 10 to 20 % longer.
 */
const PAGES = 1024

/**
 * Resolves `kernel:name` to a module with the kernel's `memory` and its functions. The bytes are embedded in the module: a kernel has a few kilobytes.
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
      for (const file of sources()) this.addWatchFile(join(folder, file))
      const name = id.slice(PREFIX.length + 1)
      const bytes = await compiled(name)
      const text = readFileSync(join(folder, `${name}.ts`), 'utf8')
      const names = [...text.matchAll(/^export (?:function (\w+)|\{ (.+) \} from)/gm)].flatMap(([, own, others = '']) => own ?? others.split(', '))
      return `export const memory = new WebAssembly.Memory({ initial: ${PAGES} })
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(${bytes.join()})), { env: { memory } })
${names.map(name => `export const ${name} = exports.${name}`).join('\n')}
`
    },
  }
}

const sources = () => readdirSync(folder).filter(file => file.endsWith('.ts'))

/** Compiled once for each state of the sources, which may import each other, and compiler version: loading the compiler takes seconds. */
async function compiled(/** @type {string} */ name) {
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/assemblyscript/package.json'), 'utf8'))
  const texts = new Map(sources().map(file => [file, readFileSync(join(folder, file), 'utf8')]))
  const hash = createHash('sha256').update([version, ...OPTIONS, name, ...[...texts].flat()].join('\n')).digest('hex').slice(0, 16)
  const cached = join(root, 'node_modules/.cache/cairn-kernels', `${hash}.wasm`)
  if (existsSync(cached)) return new Uint8Array(readFileSync(cached))
  const { main } = await import('assemblyscript/asc')
  /** @type {Uint8Array | null} */
  let bytes = null
  const { error, stderr } = await main([`${name}.ts`, '--outFile', 'kernel.wasm', ...OPTIONS], {
    readFile: (/** @type {string} */ file) => texts.get(file) ?? null,
    writeFile: (file, contents) => { if (file === 'kernel.wasm' && typeof contents !== 'string') bytes = contents },
    listFiles: () => [],
  })
  if (error !== null || bytes === null) throw new Error(`kernels/${name}.ts does not compile: ${stderr.toString()}`)
  mkdirSync(dirname(cached), { recursive: true })
  // Several processes may compile at the same time: each writes another file first and renames it.
  const own = `${cached}.${process.pid}`
  writeFileSync(own, bytes)
  renameSync(own, cached)
  return new Uint8Array(bytes)
}
