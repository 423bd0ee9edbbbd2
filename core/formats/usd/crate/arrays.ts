/** Arrays of a usdc file, compressed or not [OpenUSD: pxr/usd/usd/crateFile.cpp]. */

import { UsdAsset, type UsdValue } from '../layer'
import type { CrateBytes } from './bytes'
import { unpackIntegers } from './compression'
import type { CrateVersion } from './sections'
import { COMPONENT_BYTES, numberType, readComponent, TYPE, type NumberType } from './types'

/** Other values of the file that arrays refer to. */
interface Words {
  token(index: number): string
  string(index: number): string
  take(numbers: number): void
}

/** Shorter arrays are never compressed, regardless of their flag. */
const MIN_COMPRESSED = 16
/** Encodings of numbers: whole numbers as integers ("i"), few distinct values as indices into a table ("t"). */
const AS_INTEGERS = 0x69
const AS_TABLE = 0x74

/** @returns undefined for types of arrays that are not used */
export function readArray(file: CrateBytes, type: number, compressed: boolean, { minor }: CrateVersion, words: Words): UsdValue | undefined {
  // Old versions store a rank, always 1.
  if (minor < 5) file.u32()
  const count = minor < 7 ? file.u32() : file.u64()
  const numbers = numberType(type)
  if (numbers === undefined) {
    const word = (): UsdValue => {
      const index = file.u32()
      return type === TYPE.token ? words.token(index) : type === TYPE.string ? words.string(index) : new UsdAsset(words.string(index))
    }
    if (type !== TYPE.token && type !== TYPE.string && type !== TYPE.asset) return undefined
    requireBytes(file, count, 4)
    words.take(count)
    return Array.from({ length: count }, word)
  }
  words.take(count * numbers.count)
  if (compressed && count >= MIN_COMPRESSED && numbers.count === 1) return unpackNumbers(file, count, numbers)
  requireBytes(file, count, COMPONENT_BYTES[numbers.component] * numbers.count)
  const one = (): UsdValue => shapeNumbers(Array.from({ length: numbers.count }, () => readComponent(file, numbers.component)), numbers)
  return Array.from({ length: count }, type === TYPE.bool ? (): boolean => file.u8() !== 0 : one)
}

function requireBytes(file: CrateBytes, count: number, each: number): void {
  if (count * each > file.left) file.fail(`it claims an array of ${count}, more than the file has bytes for`)
}

function unpackNumbers(file: CrateBytes, count: number, { component }: NumberType): number[] {
  const integers = (bits: 32 | 64): Int32Array | Float64Array => unpackIntegers(file.take(file.u64()), count, bits)
  switch (component) {
    case 'i32': return [...integers(32)]
    case 'u32': return Array.from(integers(32), value => value >>> 0)
    case 'i64': case 'u64': return [...integers(64)]
    case 'u8': return file.fail('bytes are never compressed')
  }
  const code = file.u8()
  if (code === AS_INTEGERS) return [...integers(32)]
  if (code !== AS_TABLE) file.fail(`number compression ${code} is unknown`)
  const size = file.u32()
  requireBytes(file, size, COMPONENT_BYTES[component])
  // Guards against repeated large tables in a hostile file: a table is never longer than its array.
  if (size > count) file.fail('a table is longer than the array')
  const table = Array.from({ length: size }, () => readComponent(file, component))
  return Array.from(integers(32), index => table[index] ?? file.fail(`its table has no entry ${index}`))
}

/** Groups the numbers of one value into its form. */
export function shapeNumbers(numbers: readonly number[], { count, form }: NumberType): UsdValue {
  switch (form) {
    case 'number': return numbers[0]!
    case 'tuple': return numbers
    // The file stores the vector part first.
    case 'quaternion': return [numbers[3]!, numbers[0]!, numbers[1]!, numbers[2]!]
    case 'matrix': {
      const size = Math.sqrt(count)
      return Array.from({ length: size }, (_, row) => numbers.slice(row * size, (row + 1) * size))
    }
  }
}
