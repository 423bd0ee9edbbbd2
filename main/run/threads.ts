/**
 * Threads that runs are computed in. One that is done with a run waits for the next: loading the engine takes longer than a short run, and what was
 * compiled for the last one serves the next.
 */
import { Worker } from 'node:worker_threads'

/** Threads that wait, at a time: a person makes one run after the other. */
const mostIdle = 1
/** s: a thread whose run took longer may hold much, and its successor's start is a small part of such a run. It ends. */
const longRun = 10
/** MB for new objects: a step of thousands of contacts leaves ten, which would be copied on and on where there is room for one step only. */
const youngGeneration = 192

/** By the address of the program that they run. */
const idle = new Map<string, Worker[]>()

/** A thread that has nothing to do, with no listeners; a new one where none waits. */
export function takeThread(url: URL): Worker {
  const worker = idle.get(url.href)?.pop() ?? new Worker(url, { resourceLimits: { maxYoungGenerationSizeMb: youngGeneration } })
  worker.removeAllListeners()
  worker.ref()
  return worker
}

/**
 * Takes back a thread that has sent its last message. While it waits, it keeps no process from ending.
 * @param seconds that its run took
 */
export function giveBackThread(url: URL, worker: Worker, seconds: number): void {
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
