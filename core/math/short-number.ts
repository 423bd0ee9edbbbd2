/** A number for a message: four significant digits, no trailing zeros. Programs read the exact value, which is stored separately. */
export function shortNumber(value: number, digits = 4): string {
  return String(Number(value.toPrecision(digits)))
}
