/** Prints what the known answers of test/verification came to, a line each: the comparison nearest to its limit, and the limit. */

export default class TableReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} errors
   */
  onTestRunEnd(modules, errors) {
    for (const module of modules) {
      console.log(`\n${module.relativeModuleId}`)
      for (const error of module.errors()) console.log(`  did not load: ${error.message}`)
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        const meta = /** @type {{ tightest?: { value: number, limit: number }, comparisons?: number }} */ (test.meta())
        const measured = meta.tightest === undefined ? ['', '', ''] : [
          number(meta.tightest.value), number(meta.tightest.limit), `${meta.comparisons}`,
        ]
        console.log(`  ${mark[state]} ${measured[0]?.padStart(10)} ≤ ${measured[1]?.padEnd(10)} ${(measured[2] ?? '').padStart(7)}  ${test.fullName}`)
      }
    }
    for (const error of errors) console.log(`\n${error.message}`)
    console.log('\nEach line: the measured value that came nearest to its limit, the limit, and how many comparisons the test made.')
  }
}

const mark = { passed: '✓', failed: '✗', skipped: '–', pending: '?' }

/** Two significant digits are enough to compare with a tolerance. */
function number(/** @type {number} */ value) {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 1e-3 && size < 1e4 ? String(Number(value.toPrecision(2))) : value.toExponential(1).replace('.0e', 'e')
}
