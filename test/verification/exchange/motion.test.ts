/** Half a second of motion of every MJCF and URDF file of the corpus, computed from the imported scene, against MuJoCo's. */

import { describe, it } from 'vitest'
import { corpusFiles } from './corpus'
import { compareMotion, referencesOf, WITHOUT } from './motion'

/** The first one has links of 1e-9 kg between the axes of its joints, which require small steps. */
const SLOW = ['urdf/newton-humanoid.urdf', 'urdf/drake-atlas_with_fixed_joints.urdf']

const files = corpusFiles().filter(({ format }) => format === 'mjcf' || format === 'urdf')

describe.skipIf(files.length === 0)('half a second of smooth motion', () => {
  for (const file of files) {
    const without = WITHOUT[file.name]
    for (const [kind, after] of referencesOf(file)) {
      it(`${file.name}, ${kind}${without === undefined ? '' : `, but for ${without.what}`}`, { tags: SLOW.includes(file.name) ? ['long'] : [] }, async () => { await compareMotion(file, after) })
    }
  }
})
