/** Half a second of a humanoid's smooth motion against MuJoCo's: links of 1e-9 kg between its joints make the steps small. */

import { describe, it } from 'vitest'
import { corpusFiles } from '../verification/exchange/corpus'
import { compareMotion, referencesOf } from '../verification/exchange/motion'

const files = corpusFiles().filter(({ name }) => name === 'urdf/newton-humanoid.urdf')

describe.skipIf(files.length === 0)('half a second of a humanoid', () => {
  for (const file of files) for (const [kind, after] of referencesOf(file)) it(kind, async () => { await compareMotion(file, after) }, 900_000)
})
