/** Common part of all kinds of sweeps on the command line: output folder, stopping, final report. */
import type { SweepOutcome } from '../batch/local'
import type { Arguments } from './arguments'
import { exitCodes, print, printJson, usage } from './output'

export function outputOf(given: Arguments): string {
  const folder = given.text('output')
  if (folder === undefined) throw usage('-o is missing.', 'the folder of the results')
  return folder
}

/** Aborted by the first Ctrl-C; the second ends the process. */
export function interrupted(onInterrupt: () => void): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodes.cancelled)
      onInterrupt()
      controller.abort()
    })
  }
  return controller.signal
}

export function report(given: Arguments, folder: string, { status, progress: { total, done, failed }, collected }: SweepOutcome): number {
  if (given.flag('json')) {
    printJson({ status, folder, total, done, failed, contentHash: collected?.contentHash ?? null, results: collected === null ? null : `${folder}/results.parquet` })
  } else {
    print(`${status}: ${done} of ${total} runs, ${failed} failed`)
    if (collected !== null) print(`written to ${folder}/results.parquet (content ${collected.contentHash.slice(0, 16)})`)
    else if (status === 'cancelled') print('The same command resumes it.')
    else print(`A shard: "cairn sweep collect ${folder}" joins all of them.`)
  }
  return status === 'completed' ? exitCodes.done : exitCodes.cancelled
}
