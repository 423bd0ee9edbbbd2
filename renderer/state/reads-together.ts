/**
 * Reads of a run's messages that are asked for in one task are sent to the host as one request: a time's data are on several channels, and each
 * message to the host and back is a task of its own, between which the browser may draw a frame.
 */

import type { MessageRange } from '../../main/protocol/runs'

/** Reads one range of messages; fewer if the run has not computed them yet. */
export type ReadMessages = (range: MessageRange) => Promise<Uint8Array[]>

/** Ranges in one request at most. */
const MOST = 16

interface Asked {
  readonly range: MessageRange
  readonly answer: (messages: Uint8Array[]) => void
  readonly fail: (error: unknown) => void
}

export function readsTogether(send: (ranges: MessageRange[]) => Promise<Uint8Array[][]>): ReadMessages {
  let asked: Asked[] = []

  async function request(reads: readonly Asked[]) {
    try {
      const answers = await send(reads.map(read => read.range))
      reads.forEach((read, k) => read.answer(answers[k]!))
    } catch (error) {
      for (const read of reads) read.fail(error)
    }
  }

  function sendAll() {
    const all = asked
    asked = []
    for (let k = 0; k < all.length; k += MOST) void request(all.slice(k, k + MOST))
  }

  return range => new Promise((answer, fail) => {
    if (asked.length === 0) queueMicrotask(sendAll)
    asked.push({ range, answer, fail })
  })
}
