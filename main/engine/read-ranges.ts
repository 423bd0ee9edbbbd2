/** Reads ranges of messages of a run's file, within the limits of one answer. */

import type { Channel, MessageRange } from '../protocol/runs'

/** What is read from: a `TrajectoryReader`. */
interface Messages {
  count(channel: Channel): number
  message(channel: Channel, number: number): Uint8Array
}

/** Limits of one answer; a page repeats the request for more. */
export interface ReadLimits {
  /** Of each range. */
  readonly messages: number
  /** Of all ranges together, which have equal shares. Each range may exceed its share by its last message. */
  readonly bytes: number
}

export const READ_LIMITS: ReadLimits = { messages: 4096, bytes: 64 * 1024 * 1024 }

/** The first messages of each range: at least one if the run has it, whatever the other ranges contain. */
export function readRanges(reader: Messages, ranges: readonly MessageRange[], limits = READ_LIMITS): Uint8Array[][] {
  return ranges.map(({ channel, from, to }) => {
    const messages: Uint8Array[] = []
    const end = Math.min(to, reader.count(channel), from + limits.messages)
    for (let [number, bytes] = [from, 0]; number < end && bytes < limits.bytes / ranges.length; number++) {
      const message = reader.message(channel, number)
      bytes += message.length
      messages.push(message)
    }
    return messages
  })
}
