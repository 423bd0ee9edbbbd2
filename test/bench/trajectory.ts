import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TrajectoryReader } from '../../main/engine/reader'
import { Recorder } from '../../main/run/recorder'
import { recordFrame, sampleEnd, sampleHeader, sampleScene } from '../unit/main/run/trajectory-sample'
import { report } from './support/timing'

const bodies = 1000
const frames = 10_000

/** Recording and seeking in a run of 1,000 bodies and 10,000 frames. */
export default function (): void {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
  const path = join(folder, 'large.mcap')
  try {
    const recorder = new Recorder({ path, scene: sampleScene, now: () => performance.now() / 1000, progress: () => undefined })
    const before = process.cpuUsage()
    recorder.header(sampleHeader(frames, bodies))
    for (let index = 0; index < frames; index++) recordFrame(recorder, index, bodies)
    recorder.end(sampleEnd(frames))
    const { user, system } = process.cpuUsage(before)

    const opening = performance.now()
    const reader = new TrajectoryReader(path)
    const opened = performance.now() - opening
    const times: number[] = []
    for (let i = 0; i < 2000; i++) {
      const number = (i * 7919) % frames
      const start = performance.now()
      reader.frame(number)
      reader.contacts(number)
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    reader.close()
    report(`${bodies} bodies, ${frames} frames, ${(statSync(path).size / 2 ** 20).toFixed(0)} MiB`, {
      'record a frame (processor time)': (user + system) / 1000 / frames,
      'open the file': opened,
      'seek to a random frame, median': times[Math.floor(times.length / 2)]!,
      'seek to a random frame, 99 %': times[Math.floor(times.length * 0.99)]!,
      'seek to a random frame, slowest': times.at(-1)!,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
