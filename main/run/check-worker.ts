/** A thread that checks scenes one after another. A long check can be stopped by terminating the thread. */
import { parentPort } from 'node:worker_threads'
import type { Problem } from '../protocol/problem'
import { check } from './check'

export interface CheckQuestion {
  readonly text: string
}

export type CheckAnswer =
  | { readonly kind: 'checked'; readonly problems: readonly Problem[] }
  | { readonly kind: 'failed'; readonly message: string }

const answer = (message: CheckAnswer) => parentPort?.postMessage(message)

parentPort?.on('message', ({ text }: CheckQuestion) => {
  check(text).then(
    ({ problems }) => answer({ kind: 'checked', problems }),
    (error: unknown) => answer({ kind: 'failed', message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }),
  )
})
