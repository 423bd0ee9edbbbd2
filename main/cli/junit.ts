/** Test results for CI services in JUnit's XML, as commonly used; there is no formal standard. */

export interface TestCase {
  readonly name: string
  /** s of wall clock. */
  readonly seconds: number
  /** Why it failed, one line each; empty if it passed. */
  readonly faults: readonly string[]
  readonly skipped?: string
}

export function junitXml(suite: string, cases: readonly TestCase[]): string {
  const failed = cases.filter(({ faults }) => faults.length > 0).length
  const skipped = cases.filter(one => one.skipped !== undefined).length
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0)
  const counts = `tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`
  const lines = cases.map(({ name, seconds: time, faults, skipped: reason }) => {
    const head = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}" time="${time.toFixed(3)}"`
    if (faults.length > 0) return `${head}>\n      <failure message="${attribute(faults[0]!)}">${attribute(faults.join('\n'))}</failure>\n    </testcase>`
    return reason === undefined ? `${head} />` : `${head}>\n      <skipped message="${attribute(reason)}" />\n    </testcase>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="${attribute(suite)}" ${counts}>\n${lines.join('\n')}\n  </testsuite>\n</testsuites>\n`
}

/** Removes characters that XML 1.0 does not allow, and escapes the rest. */
function attribute(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}
