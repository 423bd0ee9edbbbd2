/** List edits in a usdc file: additions by this layer. Deletions and reorderings are ignored, as in usda. */

import { UsdPath, type UsdValue } from '../layer'
import type { CrateBytes } from './bytes'
import { TYPE } from './types'

/** Other values of the file that lists refer to. */
interface Items {
  token(index: number): string
  string(index: number): string
  path(index: number): string
  list<T>(file: CrateBytes, each: number, read: () => T): T[]
  asset(file: CrateBytes, shifted: boolean): UsdValue
  dictionary(file: CrateBytes): UsdValue
}

/** Bits of the first byte for the lists that follow, in this order. */
const EXPLICIT = 0x02
const ADDED = 0x04
const PREPENDED = 0x20
const APPENDED = 0x40
const DELETED = 0x08
const ORDERED = 0x10

/** Least size of a reference, used to check counts. */
const REFERENCE_BYTES = 32

/** @returns undefined for other types */
export function readListOp(file: CrateBytes, type: number, values: Items): UsdValue | undefined {
  const item = itemReader(file, type, values)
  if (item === null) return undefined
  const bits = file.u8()
  const list = (bit: number): UsdValue[] => (bits & bit) === 0 ? [] : values.list(file, item.bytes, item.read)
  const [explicit, added, prepended, appended] = [list(EXPLICIT), list(ADDED), list(PREPENDED), list(APPENDED)]
  for (const bit of [DELETED, ORDERED]) list(bit)
  return [...explicit, ...added, ...prepended, ...appended]
}

function itemReader(file: CrateBytes, type: number, values: Items): { readonly bytes: number; readonly read: () => UsdValue } | null {
  switch (type) {
    case TYPE.tokenListOp: return { bytes: 4, read: () => values.token(file.u32()) }
    case TYPE.stringListOp: return { bytes: 4, read: () => values.string(file.u32()) }
    case TYPE.pathListOp: return { bytes: 4, read: () => new UsdPath(values.path(file.u32())) }
    case TYPE.intListOp: return { bytes: 4, read: () => file.i32() }
    case TYPE.uintListOp: return { bytes: 4, read: () => file.u32() }
    case TYPE.int64ListOp: return { bytes: 8, read: () => file.i64() }
    case TYPE.uint64ListOp: return { bytes: 8, read: () => file.u64() }
    case TYPE.payloadListOp: return { bytes: 24, read: () => values.asset(file, true) }
    case TYPE.referenceListOp: return { bytes: REFERENCE_BYTES, read: () => referenceOf(file, values) }
  }
  return null
}

function referenceOf(file: CrateBytes, values: Items): UsdValue {
  const asset = values.asset(file, true)
  values.dictionary(file)
  return asset
}
