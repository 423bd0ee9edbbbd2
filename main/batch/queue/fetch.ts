/** Fetches rows that the server has and the folder does not. */
import { randomBytes } from 'node:crypto'
import type { SweepFolder } from '../folder'
import { JournalReader, JournalWriter, newShard } from '../journal'
import type { PreparedSweep } from '../plan'
import type { QueueServer } from './connection'
import { Ledger } from './ledger'

const batch = 500

/** @throws HostError if the folder is in use */
export async function fetchRows(server: QueueServer, sweep: PreparedSweep, folder: SweepFolder): Promise<void> {
  const lock = folder.lock(null)
  const redis = server.connect()
  try {
    const known = new JournalReader(folder.rowFolders(), sweep.total)
    const journal = new JournalWriter(newShard(lock.folder, `${Date.now().toString(36)}-fetched-${randomBytes(3).toString('hex')}`))
    const ledger = new Ledger(redis)
    for (let from = 0, rows = await ledger.rows(sweep.id, from, batch); rows.length > 0; from += batch, rows = await ledger.rows(sweep.id, from, batch)) {
      for (const row of rows) if (!known.has(row.run)) journal.row(row)
    }
    journal.close()
  } finally {
    redis.disconnect()
    lock.release()
  }
}
