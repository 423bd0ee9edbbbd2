import { availableParallelism } from 'node:os'
import { storeOf } from '../batch/open-store'
import { Arguments } from './arguments'
import { exitCodes, print, log, usage } from './output'
import { interrupted } from './sweep-report'

export const workerOptions = { queue: { type: 'string' }, concurrency: { type: 'string' }, lease: { type: 'string' }, store: { type: 'string' } } as const

/** `cairn worker --queue …`: runs jobs of sweeps until Ctrl-C, which returns running jobs to the queue. */
export async function worker(args: readonly string[]): Promise<number> {
  const given = Arguments.parse(args, workerOptions, [])
  const address = given.text('queue')
  if (address === undefined) throw usage('--queue is missing.', 'redis://host[:port][/database]')
  const concurrency = given.number('concurrency', { least: 1, most: 1024, integer: true }) ?? availableParallelism()
  const lease = given.number('lease', { least: 1, most: 3600 }) ?? 30
  const place = given.text('store')
  const store = place === undefined ? null : await storeOf(place)
  await store?.check()
  const { queueServer } = await import('../batch/queue/connection')
  const { SweepWorker } = await import('../batch/queue/worker')
  const server = await queueServer(address)
  const signal = interrupted(() => log('Ending: running jobs return to the queue. Press again to stop at once.'))
  const running = new SweepWorker({ server, concurrency, lease, store, log })
  print(`Cairn worker: ${concurrency} runs at once from ${address}`)
  await running.tellOthers()
  if (!signal.aborted) await new Promise<void>(done => signal.addEventListener('abort', () => done()))
  await running.close()
  log(`${running.done} runs done.`)
  return exitCodes.done
}
