/** A thread for runs, one after another. A run reacts only to the shared control words, which the simulation checks between steps. */
import { parentPort } from 'node:worker_threads'
import { compute } from './compute'
import type { RunReport, RunRequest } from './job'

const report = (message: RunReport) => parentPort?.postMessage(message)

parentPort?.on('message', (request: RunRequest) => {
  compute(request, report).catch((error: unknown) => {
    report({ kind: 'failed', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  })
})
