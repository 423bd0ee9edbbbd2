/** A run's own thread. It answers to nothing but the shared control words, which the simulation looks at between steps. */
import { parentPort, workerData } from 'node:worker_threads'
import { compute } from './compute'
import type { RunReport, RunRequest } from './job'

const report = (message: RunReport) => parentPort?.postMessage(message)

compute(workerData as RunRequest, report).catch((error: unknown) => {
  report({ kind: 'failed', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
})
