/** A number for a message: four significant digits, no trailing zeros. Programs read the value itself beside the message. */
export function shortNumber(value: number, digits = 4): string {
  return String(Number(value.toPrecision(digits)))
}
