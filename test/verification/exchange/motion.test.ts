/** Half a second of motion of every MJCF and URDF file of the corpus, computed here from the imported scene, against MuJoCo's. */

import { describe, it } from 'vitest'
import { corpusFiles } from './corpus'
import { compareMotion, referencesOf, WITHOUT } from './motion'

/** Its joints of three axes have links of 1e-9 kg between them, and take minutes: test/long/humanoid-motion.test.ts. */
const SLOW = 'urdf/newton-humanoid.urdf'

const files = corpusFiles().filter(file => (file.format === 'mjcf' || file.format === 'urdf') && file.name !== SLOW)

describe.skipIf(files.length === 0)('half a second of smooth motion', () => {
  for (const file of files) {
    const without = WITHOUT[file.name]
    for (const [kind, after] of referencesOf(file)) {
      it(`${file.name}, ${kind}${without === undefined ? '' : `, but for ${without.what}`}`, async () => { await compareMotion(file, after) })
    }
  }
})
