/** Types of values in usdc files, by their numbers [OpenUSD: pxr/usd/usd/crateDataTypes.h]. */

import type { CrateBytes } from './bytes'

export const TYPE = {
  bool: 1, string: 10, token: 11, asset: 12, dictionary: 31, tokenListOp: 32, stringListOp: 33, pathListOp: 34, referenceListOp: 35, intListOp: 36,
  int64ListOp: 37, uintListOp: 38, uint64ListOp: 39, pathVector: 40, tokenVector: 41, specifier: 42, permission: 43, variability: 44, variantSelection: 45,
  timeSamples: 46, payload: 47, doubleVector: 48, stringVector: 50, block: 51, value: 52, payloadListOp: 55,
} as const

type Component = 'u8' | 'i32' | 'u32' | 'i64' | 'u64' | 'half' | 'float' | 'double'

/** A type composed of numbers. */
export interface NumberType {
  readonly component: Component
  readonly count: number
  readonly form: 'number' | 'tuple' | 'matrix' | 'quaternion'
}

export const COMPONENT_BYTES: Readonly<Record<Component, number>> = { u8: 1, i32: 4, u32: 4, i64: 8, u64: 8, half: 2, float: 4, double: 8 }

const NUMBERS = new Map<number, NumberType>([
  ...(['u8', 'u8', 'i32', 'u32', 'i64', 'u64', 'half', 'float', 'double'] as const).map((component, i): [number, NumberType] => [1 + i, { component, count: 1, form: 'number' }]),
  ...[4, 9, 16].map((count, i): [number, NumberType] => [13 + i, { component: 'double', count, form: 'matrix' }]),
  ...(['double', 'float', 'half'] as const).map((component, i): [number, NumberType] => [16 + i, { component, count: 4, form: 'quaternion' }]),
  ...[2, 3, 4].flatMap((count, i) => (['double', 'float', 'half', 'i32'] as const).map((component, j): [number, NumberType] => [19 + 4 * i + j, { component, count, form: 'tuple' }])),
  // Time codes.
  [56, { component: 'double', count: 1, form: 'number' }],
])

export function numberType(type: number): NumberType | undefined {
  return NUMBERS.get(type)
}

export function readComponent(file: CrateBytes, component: Component): number {
  switch (component) {
    case 'u8': return file.u8()
    case 'i32': return file.i32()
    case 'u32': return file.u32()
    case 'i64': return file.i64()
    case 'u64': return file.u64()
    case 'half': return halfFloat(file.u16())
    case 'float': return shortest(file.f32())
    case 'double': return file.f64()
  }
}

/** A number of 16 bits [IEEE 754 binary16]. */
export function halfFloat(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * HALF_STEP : sign * (1 + fraction / 1024) * 2 * (1 << exponent) / 65_536
}

/** 2⁻²⁴, the smallest such number. */
const HALF_STEP = 1 / 16_777_216

const POWERS = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))

/**
 * The shortest decimal that rounds to the number in single precision: 0.1 for 0.10000000149…. usda writes the same text, so that a scene does not
 * depend on the encoding.
 */
export function shortest(single: number): number {
  const size = Math.abs(single)
  if (!(size < 1e9 && size >= 1e-9)) return size === 0 || !Number.isFinite(single) ? single : shortestOfAny(single)
  for (const power of POWERS) {
    const scaled = Math.round(single * power)
    if (Math.abs(scaled) > Number.MAX_SAFE_INTEGER) break
    const decimal = scaled / power
    if (inSingle(decimal) === single) return decimal
  }
  return single
}

function shortestOfAny(single: number): number {
  for (let digits = 1; digits < 10; digits++) {
    const decimal = Number(single.toPrecision(digits))
    if (inSingle(decimal) === single) return decimal
  }
  return single
}

const SINGLE = new Float32Array(1)

function inSingle(value: number): number {
  SINGLE[0] = value
  return SINGLE[0]
}
