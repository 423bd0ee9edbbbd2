/** Checks of scenes, each in a thread: other requests are answered in the meantime, and a long check can be terminated. */
import { Worker } from 'node:worker_threads'
import { HostError } from '../protocol/host'
import type { Problem } from '../protocol/problem'
import type { CheckAnswer, CheckQuestion } from '../run/check-worker'

/** Concurrent checks: each uses a processor. Further requests wait. */
const mostAtOnce = 2
/** ms for which a check without a waiting request may continue: most finish sooner than a new thread has loaded. */
const patience = 500
/** MiB of JavaScript objects that a hostile scene may make a thread hold. */
const threadMemory = 4096

/** Beside this module in the build; the tests name their own. */
const defaultWorker = new URL('./check-worker.js', import.meta.url)

interface Check {
  readonly ticket: string
  readonly text: string
  readonly done: (problems: readonly Problem[]) => void
  readonly fail: (error: HostError) => void
}

/** A thread and its check; null while it is idle, or its check has no waiting request. */
interface Thread {
  readonly worker: Worker
  check: Check | null
  /** Timer that terminates the thread if its abandoned check takes long; null: no abandoned check. */
  abandoned: NodeJS.Timeout | null
}

export class Checks {
  private readonly waiting: Check[] = []
  private readonly threads = new Set<Thread>()

  constructor(private readonly workerUrl: URL = defaultWorker) {}

  /**
   * All errors and warnings of a scene. A newer check of the same ticket replaces an older one.
   *
   * @throws HostError `Cancelled`, or `CheckFailed` if the thread ended without a result
   */
  start(ticket: string, text: string): Promise<readonly Problem[]> {
    this.cancel(ticket)
    return new Promise((done, fail) => {
      this.waiting.push({ ticket, text, done, fail })
      this.next()
    })
  }

  /** Ends the check of this ticket, if there is one. */
  cancel(ticket: string): void {
    const cancelled = new HostError('Cancelled', 'The check was cancelled.')
    const waiting = this.waiting.findIndex(check => check.ticket === ticket)
    if (waiting >= 0) this.waiting.splice(waiting, 1)[0]!.fail(cancelled)
    for (const thread of this.threads) if (thread.check?.ticket === ticket) this.abandon(thread, cancelled)
  }

  dispose(): void {
    for (const { fail } of this.waiting.splice(0)) fail(new HostError('Cancelled', 'The check was cancelled.'))
    for (const thread of this.threads) this.lose(thread, new HostError('Cancelled', 'The check was cancelled.'))
  }

  private next(): void {
    if (this.waiting.length === 0) return
    const idle = [...this.threads].find(({ check, abandoned }) => check === null && abandoned === null)
    const thread = idle ?? (this.threads.size < mostAtOnce ? this.started() : null)
    const check = thread === null ? undefined : this.waiting.shift()
    if (thread === null || check === undefined) return
    thread.check = check
    thread.worker.ref()
    thread.worker.postMessage({ text: check.text } satisfies CheckQuestion)
  }

  /** A thread that is kept for later checks, because loading takes longer than most checks. It does not keep the process alive. */
  private started(): Thread {
    const thread: Thread = { worker: new Worker(this.workerUrl, { resourceLimits: { maxOldGenerationSizeMb: threadMemory } }), check: null, abandoned: null }
    this.threads.add(thread)
    thread.worker.on('message', (answer: CheckAnswer) => {
      const { check } = thread
      thread.check = null
      if (thread.abandoned !== null) clearTimeout(thread.abandoned)
      thread.abandoned = null
      thread.worker.unref()
      if (answer.kind === 'checked') check?.done(answer.problems)
      else check?.fail(failed(answer.message))
      this.next()
    })
    thread.worker.on('error', error => this.lose(thread, failed(reasonOf(error))))
    thread.worker.on('exit', code => this.lose(thread, failed(`its thread ended with exit code ${code}`)))
    return thread
  }

  /** Reports the error to the waiting request, and gives the thread some time to finish. */
  private abandon(thread: Thread, error: HostError): void {
    thread.check?.fail(error)
    thread.check = null
    thread.abandoned = setTimeout(() => this.lose(thread, error), patience)
  }

  /** Terminates a thread and reports the error to the waiting request. */
  private lose(thread: Thread, error: HostError): void {
    if (!this.threads.delete(thread)) return
    if (thread.abandoned !== null) clearTimeout(thread.abandoned)
    thread.check?.fail(error)
    void thread.worker.terminate()
    this.next()
  }
}

function failed(reason: string): HostError {
  const message = `The scene could not be checked: ${reason}.`
  return new HostError('CheckFailed', message, [{ name: 'CheckFailed', severity: 'error', message, path: '', ids: [] }])
}

function reasonOf(error: Error & { readonly code?: string }): string {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needs more than ${threadMemory} MiB of memory` : error.message
}
