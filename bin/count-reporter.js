/** Counts vitest's results for the last line of bin/test.js: tests, files that failed to load, and errors outside any test. */
import { writeFileSync } from 'node:fs'

export default class CountReporter {
  /** @param {import('vitest/node').Vitest} vitest */
  onInit({ config }) {
    this.filter = config.tagsFilter?.[0] ?? ''
  }

  /**
   * @param {import('vitest/node').TestCase} test
   * @returns {boolean} whether the filter by tags excluded it: such tests are not reported as skipped
   */
  isLeftOut(test) {
    return this.filter !== '' && test.tags.includes('long') !== (this.filter === 'long')
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(modules, errors) {
    let passed = 0
    let failed = errors.length
    /** @type {string[]} */
    const skipped = []
    for (const module of modules) {
      if (module.errors().length > 0) failed++
      for (const suite of module.children.allSuites()) if (suite.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') passed++
        else if (result.state === 'failed') failed++
        else if (!this.isLeftOut(test)) skipped.push(`${test.fullName}${result.state === 'skipped' && result.note ? ` (${result.note})` : ''}`)
      }
    }
    const record = process.env.CAIRN_TEST_COUNTS
    if (record !== undefined) writeFileSync(record, JSON.stringify({ passed, failed, skipped }))
  }
}
