/** Mirror images of formulas. Mirroring an image again restores the original text. */

/** −f: of a coordinate along the mirror's axis. */
export function negated(formula: string): string {
  const text = formula.trim()
  return isWhollyNegated(text) ? text.slice(2, -1) : `-(${text})`
}

/** The same formula in another form: an unchanged formula with a changed number would count as overwritten. */
export function inOtherForm(formula: string): string {
  const text = formula.trim()
  return isWhollyNegated(`-${text}`) ? text.slice(1, -1) : `(${text})`
}

function isWhollyNegated(text: string): boolean {
  if (!text.startsWith('-(') || !text.endsWith(')')) return false
  let depth = 0
  for (let k = 1; k < text.length; k++) {
    if (text[k] === '(') depth++
    if (text[k] === ')' && --depth === 0) return k === text.length - 1
  }
  return false
}

/** f with −x for x: "(-x)" already replaces x, except after a name, where it is the argument of a function. */
export function ofNegated(formula: string, variable: string): string {
  const found = new RegExp(`(?<![\\w.])\\(-${variable}\\)|(?<![\\w.])${variable}(?![\\w.])`, 'g')
  return formula.replace(found, match => match === variable ? `(-${variable})` : variable)
}
