/** A thread for runs, one after the other. A run answers to nothing but the shared control words, which the simulation looks at between steps. */
import { parentPort } from 'node:worker_threads'
import { compute } from './compute'
import type { RunReport, RunRequest } from './job'

const report = (message: RunReport) => parentPort?.postMessage(message)

parentPort?.on('message', (request: RunRequest) => {
  compute(request, report).catch((error: unknown) => {
    report({ kind: 'failed', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  })
})
