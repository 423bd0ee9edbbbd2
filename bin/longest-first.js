/** Order of the test files: those that take longest first, so that no worker is left with one of them at the end. */
import { BaseSequencer } from 'vitest/node'

/** Below `test/`. In a fresh clone vitest knows only the sizes of files, not their times. */
const LONGEST = [
  'unit/main/batch/queue', 'unit/main/batch/local', 'unit/main/batch/queue-commands', 'unit/main/batch/sweep', 'unit/main/engine/decompose',
  'unit/core/simulation/checkpoint',
  'verification/examples', 'verification/exchange/motion', 'verification/reduced', 'verification/impact-audit', 'verification/tolerances',
  'e2e/live', 'e2e/soak', 'e2e/live-elements', 'e2e/tour', 'e2e/accessible', 'e2e/page', 'e2e/files', 'e2e/live-machine', 'e2e/mend-compose', 'e2e/sweep',
]

/** @param {import('vitest/node').TestSpecification} file */
function place({ moduleId }) {
  const found = LONGEST.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`))
  return found < 0 ? LONGEST.length : found
}

export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const sorted = await super.sort(files)
    // A worker is kept for the next file of the same project only.
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return sorted.sort((a, b) => projects.indexOf(a.project) - projects.indexOf(b.project) || place(a) - place(b))
  }
}
