/** Prints the known answers of test/verification: one line for each compared quantity, or the comparison nearest to its limit. */

export default class TableReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(modules, errors) {
    /** @type {string[]} */
    const others = []
    for (const module of modules) {
      for (const error of module.errors()) console.log(`${module.relativeModuleId} did not load: ${error.message}`)
      for (const test of module.children.allTests()) {
        const meta = /** @type {Meta} */ (test.meta())
        if (meta.known) printKnown(test.fullName, test.result().state, meta.known)
        else others.push(bounded(test.fullName, test.result().state, meta))
      }
    }
    if (others.length > 0) console.log(`\nOther answers: the measured value that came nearest to its limit, the limit, comparisons made\n${others.join('\n')}`)
    for (const error of errors) console.log(`\n${error.message}`)
  }
}

/**
 * @typedef {{ quantity: string, expected: number | string, got: number | string, error: number, tolerance: number }} Comparison
 * @typedef {{ known?: readonly Comparison[], tightest?: { value: number, limit: number }, comparisons?: number }} Meta
 */

const mark = { passed: '✓', failed: '✗', skipped: '–', pending: '?' }

/** A case and its quantities: expected, got, error, tolerance. */
function printKnown(/** @type {string} */ name, /** @type {keyof typeof mark} */ state, /** @type {readonly Comparison[]} */ rows) {
  console.log(`\n${mark[state]} ${name}`)
  console.log(`    ${'quantity'.padEnd(58)}${'expected'.padStart(20)}${'got'.padStart(20)}${'error'.padStart(10)}${'tolerance'.padStart(11)}`)
  for (const { quantity, expected, got, error, tolerance } of rows) {
    const wrong = error <= tolerance ? ' ' : '✗'
    console.log(`  ${wrong} ${quantity.padEnd(58)}${value(expected).padStart(20)}${value(got).padStart(20)}${number(error).padStart(10)}${number(tolerance).padStart(11)}`)
  }
}

function bounded(/** @type {string} */ name, /** @type {keyof typeof mark} */ state, /** @type {Meta} */ meta) {
  const [got, limit, count] = meta.tightest === undefined ? ['', '', '']
    : [number(meta.tightest.value), number(meta.tightest.limit), `${meta.comparisons}`]
  return `  ${mark[state]} ${got.padStart(10)} ≤ ${limit.padEnd(10)} ${count.padStart(7)}  ${name}`
}

/** Thirteen digits show differences down to a tolerance of 1e-12. */
function value(/** @type {number | string} */ value) {
  return typeof value === 'string' ? value : String(Number(value.toPrecision(13)))
}

/** Two significant digits are enough to compare with a tolerance. */
function number(/** @type {number} */ value) {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 1e-3 && size < 1e4 ? String(Number(value.toPrecision(2))) : value.toExponential(1).replace('.0e', 'e')
}
