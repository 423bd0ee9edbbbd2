/** Sweeps on a queue: `cairn sweep … --queue`, `status`, `cancel`, `collect`. The queue's code is loaded only here. */
import { JournalReader } from '../batch/journal'
import { SweepFolder } from '../batch/folder'
import { PreparedSweep } from '../batch/plan'
import { storeOf } from '../batch/open-store'
import type { Arguments } from './arguments'
import { exitCodes, print, printJson, log, usage } from './output'
import { planFrom } from './sweep-plan'
import { SweepBar } from './sweep-progress'
import { interrupted, outputOf, report } from './sweep-report'

async function serverOf(given: Arguments) {
  const address = given.text('queue')
  if (address === undefined) throw usage('--queue is missing.', 'redis://host[:port][/database]')
  const { queueServer } = await import('../batch/queue/connection')
  return queueServer(address)
}

/** Adds the jobs to the queue and fetches rows until all have arrived; after Ctrl-C the workers continue. */
export async function sweepByQueue(given: Arguments): Promise<number> {
  const prepared = new PreparedSweep(planFrom(given))
  const folder = outputOf(given)
  if (given.text('shard') !== undefined) throw usage('--shard with --queue: a queue distributes the runs itself.')
  const store = given.text('store') ?? ''
  if (prepared.plan.keep.kind !== 'none' && store === '') throw usage('--keep with --queue needs --store, where all workers can store trajectories.', 'a shared folder, or s3://bucket/prefix')
  if (store !== '') await (await storeOf(store)).check()
  const server = await serverOf(given)
  const { runQueuedSweep } = await import('../batch/queue/coordinate')
  const bar = new SweepBar()
  const signal = interrupted(() => log('The workers continue the sweep. The same command fetches the results; "cairn sweep cancel" ends it.'))
  const outcome = await runQueuedSweep({ sweep: prepared, folder, server, store, signal, progress: progress => bar.update(progress) }).finally(() => bar.end())
  return report(given, folder, outcome)
}

/** `cairn sweep collect <folder> --queue …`: copies the rows on the server to the folder's journal. */
export async function collectFromQueue(given: Arguments, prepared: PreparedSweep, folder: SweepFolder): Promise<void> {
  const server = await serverOf(given)
  const { fetchRows } = await import('../batch/queue/fetch')
  await fetchRows(server, prepared, folder)
}

/** `cairn sweep status --queue …`: sweeps on the server; `cairn sweep status <folder>`: a local sweep. */
export async function sweepStatus(given: Arguments): Promise<number> {
  const [, path] = given.positionals
  if (path !== undefined) {
    const folder = new SweepFolder(path)
    const prepared = folder.prepared()
    const journal = new JournalReader(folder.rowFolders(), prepared.total)
    const status = { id: prepared.id, total: prepared.total, done: journal.count, failed: journal.failed }
    if (given.flag('json')) printJson(status)
    else print(`${status.id}  ${status.done} of ${status.total} runs, ${status.failed} failed`)
    return exitCodes.done
  }
  const server = await serverOf(given)
  const { Ledger } = await import('../batch/queue/ledger')
  const { JobQueue } = await import('../batch/queue/jobs')
  const redis = server.connect()
  try {
    const jobs = new JobQueue(redis)
    const counts = await jobs.counts()
    const sweeps = await new Ledger(redis).list()
    await jobs.close()
    if (given.flag('json')) printJson({ sweeps, ...counts })
    else {
      print(`${counts.workers} workers, ${counts.running} runs running, ${counts.waiting} waiting`)
      for (const { id, engine, done, total, cancelled } of sweeps) print(`${id}  engine ${engine}  ${done} of ${total} runs${cancelled ? ', cancelled' : ''}`)
    }
    return exitCodes.done
  } finally {
    redis.disconnect()
  }
}

/** `cairn sweep cancel <id> --queue …`: no further runs are begun; existing rows stay. */
export async function cancelSweep(given: Arguments): Promise<number> {
  const [, id] = given.positionals
  if (id === undefined) throw usage('cairn sweep cancel needs the id of a sweep.', 'those that "cairn sweep status" lists')
  const server = await serverOf(given)
  const { Ledger } = await import('../batch/queue/ledger')
  const redis = server.connect()
  try {
    await new Ledger(redis).cancel(id)
  } finally {
    redis.disconnect()
  }
  if (given.flag('json')) printJson({ status: 'cancelled', id })
  else print(`cancelled: ${id}`)
  return exitCodes.done
}
