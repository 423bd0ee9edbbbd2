/** A table of 10⁷ contacts: size of its file, processor time and memory of `cairn table`. `--rows n`, `--to csv|npy|parquet`. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { BODY_STRIDE, type ContactFrame } from '../../core/trajectory/frame'
import { build } from '../../bin/build.js'
import { Recorder } from '../../main/run/recorder'
import { watched } from './support/watched'
import { recordFrame, sampleEnd, sampleHeader, sampleScene } from '../unit/main/run/trajectory-sample'

const perFrame = 5000
const cli = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1e7' }, to: { type: 'string', default: 'parquet' } } })
  const frames = Math.ceil(Number(values.rows) / perFrame)
  build()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-tables-'))
  try {
    const run = join(folder, 'run.mcap')
    record(run, frames)
    const output = join(folder, `contacts.${values.to}`)
    const { peak, cpu } = await watched([cli, 'table', run, '--what', 'contacts', '--to', values.to, '-o', output])
    console.table([{
      rows: frames * perFrame, to: values.to, 'run, MB': megabytes(statSync(run).size), 'table, MB': megabytes(statSync(output).size), 'peak resident, MB': megabytes(peak),
      'processor, s': Number(cpu.toFixed(1)), 'µs a row': Number((cpu * 1e6 / (frames * perFrame)).toFixed(2)),
    }])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)

/** Different forces in each row, so that compression has no advantage. */
function record(path: string, frames: number): void {
  const recorder = new Recorder({ path, scene: sampleScene, now: () => performance.now() / 1000, progress: () => undefined })
  recorder.header(sampleHeader(frames))
  const contacts = recorder.contacts.bind(recorder)
  recorder.contacts = one => contacts(many(one))
  for (let index = 0; index < frames; index++) recordFrame(recorder, index)
  recorder.end(sampleEnd(frames))
}

function many(one: ContactFrame): ContactFrame {
  const columns = Object.entries(one).map(([name, value]) => {
    if (!ArrayBuffer.isView(value)) return [name, name === 'count' ? perFrame : value]
    const column = value as Float64Array | Int32Array
    const stride = column.length
    const copies = column instanceof Int32Array ? new Int32Array(stride * perFrame) : new Float64Array(stride * perFrame)
    for (let k = 0; k < copies.length; k++) copies[k] = column instanceof Int32Array ? column[k % stride]! : column[k % stride]! + Math.sin(k + BODY_STRIDE * one.index) * 1e-3
    return [name, copies]
  })
  return Object.fromEntries(columns) as ContactFrame
}
