/** Formatting of numbers: three to five significant digits on screen, full precision on hover and on copy. */

const MINUS = '−'

/** Rounding error of double precision for quantities of about 1: smaller numbers are shown as ≈ 0. */
const ROUNDING = 1e-14

/** `digits` significant digits without trailing zeros after the point; very large and small numbers as powers of ten. */
export function formatNumber(value: number, digits = 4): string {
  if (Number.isNaN(value)) return '–'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e6 || size < 1e-4) return formatScientific(value, digits)
  const fixed = value.toPrecision(digits)
  const plain = fixed.includes('e') ? String(Number(fixed)) : fixed
  const trimmed = plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
  return trimmed.replace('-', MINUS)
}

/**
 * As many decimals as give the column's largest value, `scale`, its `digits` significant digits. So columns align, and rounding errors are
 * shown as 0.
 */
export function formatBeside(value: number, scale: number, digits = 4): string {
  if (!(scale >= 1e-4 && scale < 1e6)) return formatNumber(value, digits)
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(scale)))
  const fixed = value.toFixed(decimals)
  return (Number(fixed) === 0 ? fixed.replace('-', '') : fixed).replace('-', MINUS)
}

const SUPERSCRIPT: Readonly<Record<string, string>> = {
  '-': '⁻', '0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
}

function formatScientific(value: number, digits: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential(Math.max(0, digits - 1)).split('e')
  const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
  const power = [...String(Number(exponent))].map(character => SUPERSCRIPT[character]).join('')
  return `${trimmed}·10${power}`.replace('-', MINUS)
}

export function formatQuantity(value: number, unit: string, digits = 4): string {
  return unit ? `${formatNumber(value, digits)} ${unit}` : formatNumber(value, digits)
}

/** Full precision in plain ASCII, so that it can be pasted anywhere. */
export function fullPrecision(value: number, unit = ''): string {
  return unit ? `${value} ${unit}` : String(value)
}

/**
 * As `formatNumber`, for computed quantities: rounding errors relative to `beside` (default: 1 unit) are shown as ≈ 0. The tooltip shows all
 * digits.
 */
export function formatComputed(value: number, digits = 4, beside = 1): string {
  return value !== 0 && Math.abs(value) < ROUNDING * Math.abs(beside) ? '≈ 0' : formatNumber(value, digits)
}

/** As `formatComputed`, with five significant digits, or as few as three if the text has more characters than that. */
export function formatWithin(value: number, characters: number): string {
  const texts = [5, 4, 3].map(digits => formatComputed(value, digits))
  return texts.find(text => text.length <= characters) ?? texts.at(-1)!
}

/** × the largest component of a vector: smaller ones are shown as ≈ 0. The largest is shown with four digits. */
const NEGLIGIBLE = 1e-7

/**
 * Components of a computed vector, beside each other: short enough that three of them fit in a narrow panel. The tooltip shows all digits.
 * @param beside magnitude of the quantities it was computed from
 */
export function formatVector(vector: ArrayLike<number>, beside = 1): string[] {
  const components = Array.from(vector)
  const largest = components.reduce((most, x) => Math.max(most, Math.abs(x) || 0), 0)
  return components.map(x => x !== 0 && Math.abs(x) < NEGLIGIBLE * largest ? '≈ 0' : formatComputed(x, Math.abs(x) < 1e-4 ? 3 : 4, Math.max(largest, 1, Math.abs(beside))))
}

/** A time on the axis: `1.37 s`, with this many decimals. A time too short for them has its own leading digits: `1·10⁻⁵ s`. */
export function formatTime(seconds: number, decimals = 2): string {
  if (seconds !== 0 && Math.abs(seconds) < 10 ** (1 - decimals)) return `${formatNumber(seconds, 3)} s`
  return `${seconds.toFixed(decimals).replace('-', MINUS)} s`
}

export function formatTimeLeft(seconds: number): string {
  if (seconds < 1) return 'less than 1 s left'
  if (seconds < 90) return `${Math.ceil(seconds)} s left`
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min left`
  return `${Math.ceil(seconds / 3600)} h left`
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  let amount = bytes
  let unit = 0
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000
    unit++
  }
  return `${amount >= 100 || unit === 0 ? amount.toFixed(0) : amount.toFixed(1)} ${units[unit]}`
}

/** "1 body", "2 bodies". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
