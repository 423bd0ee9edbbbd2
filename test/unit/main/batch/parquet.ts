/** The results of a sweep, read back by hyparquet. */
import { readFileSync } from 'node:fs'
import { parquetReadObjects } from 'hyparquet'

export async function rowsOf(path: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(path)
  return parquetReadObjects({ file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) })
}

/** Without the wall-clock time, the only column that depends on the machine. */
export function withoutTimes(rows: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  return rows.map(row => ({ ...row, wallTime: 0 }))
}
