/** Mutated run files: data that can still be read are as written, or are reported as damaged. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { damageOf } from '../../../main/engine/integrity'
import { inspect } from '../../../main/engine/inspect'
import { TrajectoryReader } from '../../../main/engine/reader'
import { summarize } from '../../../main/engine/summary'
import { compute } from '../../../main/run/compute'
import { controlLength } from '../../../main/run/job'
import { mutatedBytes } from '../mutate'
import { thrown, type Kind } from '../outcome'
import { Random } from '../random'
import { randomScene } from '../scene'

let whole: { readonly bytes: Uint8Array; readonly told: string } | null = null

export const trajectories: Kind = {
  async run(seed) {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-fuzz-'))
    try {
      whole ??= await recordedRun(folder)
      const path = join(folder, 'mutated.mcap')
      writeFileSync(path, mutatedBytes(new Random(seed), whole.bytes))
      try {
        const { told, complete, damaged } = read(path)
        if (told === whole.told) return { outcome: 'completed', detail: 'reads as before' }
        if (damaged) return { outcome: 'stopped', detail: 'damage told' }
        return complete ? { outcome: 'wrong', detail: 'other numbers, and nothing said' } : { outcome: 'stopped', detail: 'incomplete told' }
      } catch (error) {
        return thrown(['TrajectoryFileError', 'NoFrames'], error)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function recordedRun(folder: string): Promise<{ bytes: Uint8Array; told: string }> {
  const path = join(folder, 'whole.mcap')
  // The first scene that runs: it has contacts, joints and forces of its own.
  for (let seed = 1; ; seed++) {
    const scene = { ...randomScene(new Random(seed)), name: 'fuzz' }
    let completed = false
    await compute({ scene: JSON.stringify(scene), output: path, control: new SharedArrayBuffer(4 * controlLength) }, report => {
      completed ||= report.kind === 'ended' && report.end.status === 'completed'
    })
    if (completed) return { bytes: readFileSync(path), told: read(path).told }
  }
}

function read(path: string): { told: string; complete: boolean; damaged: boolean } {
  const reader = new TrajectoryReader(path)
  try {
    const damage = damageOf(reader)
    const { complete } = reader
    const damaged = damage.length > 0
    return { told: damaged ? '' : JSON.stringify([summarize(reader), inspect(reader, undefined), reader.scene]), complete, damaged }
  } finally {
    reader.close()
  }
}
