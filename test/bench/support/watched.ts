import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface Watched {
  /** Bytes: peak of the resident set. */
  readonly peak: number
  /** s of processor time, and on the clock. */
  readonly cpu: number
  readonly wall: number
}

/** A Node child process whose figures are read from /proc while it runs. Linux only. */
export function watched(args: readonly string[]): Promise<Watched> {
  const started = performance.now()
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    let [peak, cpu] = [0, 0]
    const look = setInterval(() => {
      try {
        peak = Math.max(peak, 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0))
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
        cpu = (Number(fields[11]) + Number(fields[12])) / 100
      } catch {
        // The process has just ended.
      }
    }, 50)
    child.once('exit', code => {
      clearInterval(look)
      if (code === 0) done({ peak, cpu, wall: (performance.now() - started) / 1000 })
      else fail(new Error(`cairn ${args[1] ?? ''} ended with ${code}.`))
    })
  })
}
