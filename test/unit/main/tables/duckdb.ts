/** DuckDB in this process, from its WebAssembly build: a reader of Parquet and CSV independent of our code. */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

interface Table { toArray(): { toJSON(): Record<string, unknown> }[] }
interface Connection { query(sql: string): Table; close(): void }
interface Bindings {
  instantiate(progress: () => void): Promise<unknown>
  connect(): Connection
  registerFileBuffer(name: string, bytes: Uint8Array): void
  dropFile(name: string): void
}

export interface Duck {
  /** Rows as plain objects; whole numbers of 64 bits are `bigint`. */
  query(sql: string): Record<string, unknown>[]
  /** Makes bytes readable under a name. */
  file(name: string, bytes: Uint8Array): void
}

export async function startDuck(): Promise<Duck> {
  const path = require.resolve('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs')
  const duckdb = require(path) as { createDuckDB(bundles: object, logger: object, runtime: object): Promise<Bindings>; VoidLogger: new () => object; NODE_RUNTIME: object }
  const bundle = (name: string) => ({ mainModule: join(dirname(path), `duckdb-${name}.wasm`), mainWorker: '' })
  const bindings = await duckdb.createDuckDB({ mvp: bundle('mvp'), eh: bundle('eh') }, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME)
  await bindings.instantiate(() => undefined)
  const connection = bindings.connect()
  return {
    query: sql => connection.query(sql).toArray().map(row => row.toJSON()),
    file: (name, bytes) => {
      bindings.dropFile(name)
      bindings.registerFileBuffer(name, bytes)
    },
  }
}
