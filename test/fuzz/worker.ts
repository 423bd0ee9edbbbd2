/** A thread that runs one trial after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { KINDS } from './kinds'
import { thrown } from './outcome'

const { kind, control } = workerData as { kind: string; control: SharedArrayBuffer }
const words = new Int32Array(control)

parentPort?.on('message', (seed: number) => {
  const used = process.cpuUsage()
  Promise.resolve().then(() => KINDS[kind]!.run(seed, () => Atomics.load(words, 0) !== 0)).catch((error: unknown) => thrown([], error)).then(outcome => {
    const { user, system } = process.cpuUsage(used)
    parentPort?.postMessage({ seed, ...outcome, seconds: (user + system) / 1e6 })
  }).catch((error: unknown) => { throw error })
})
