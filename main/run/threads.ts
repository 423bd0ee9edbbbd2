/**
 * Threads for runs. An idle thread is kept for the next run: loading the engine takes longer than a short run, and compiled code is reused.
 */
import { Worker } from 'node:worker_threads'

/** Maximum number of idle threads; users start one run after another. */
const mostIdle = 1
/** s: a thread whose run took longer is terminated. It may hold much memory, and starting a new one takes little time compared with such a run. */
const longRun = 10
/** MB for new objects: a step with thousands of contacts allocates ten, which would be copied repeatedly if there was space for one step only. */
const youngGeneration = 192

/** By the URL of their program. */
const idle = new Map<string, Worker[]>()

/** An idle thread without listeners, or a new one. */
export function acquireThread(url: URL): Worker {
  const worker = idle.get(url.href)?.pop() ?? new Worker(url, { resourceLimits: { maxYoungGenerationSizeMb: youngGeneration } })
  worker.removeAllListeners()
  worker.ref()
  return worker
}

/**
 * Takes back a thread that has sent its last message. While idle it does not keep the process alive.
 * @param seconds duration of its run
 */
export function releaseThread(url: URL, worker: Worker, seconds: number): void {
  worker.removeAllListeners()
  const waiting = idle.get(url.href) ?? []
  if (seconds > longRun || waiting.length >= mostIdle) return void worker.terminate()
  idle.set(url.href, waiting)
  waiting.push(worker)
  worker.unref()
  const gone = (): void => {
    const place = waiting.indexOf(worker)
    if (place >= 0) waiting.splice(place, 1)
  }
  worker.on('error', gone).on('exit', gone)
}
