import { uptime } from 'node:os'

/** The clock of the machine may have been set since; processes that ran that shortly before its start are not told apart. */
const CLOCK_MS = 10_000

/**
 * Whether another process with this id is running that may be the one of time `at`; the own process does not count.
 * @param at when the process is known to have run, ms since the epoch: after a restart of the machine its id belongs to someone else
 */
export function isAlive(pid: number, at: number): boolean {
  if (pid <= 0 || pid === process.pid || at < Date.now() - uptime() * 1000 - CLOCK_MS) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
