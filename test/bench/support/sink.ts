/** A sink that stores only the last number of contacts and the processor time of each frame. */

import type { RunEnvironment } from '../../../core/simulation'

export function contactCounting(): { readonly sink: RunEnvironment['sink'], contacts(): number, median(): number } {
  let count = 0
  let mark = process.cpuUsage()
  const ms: number[] = []
  return {
    sink: {
      header: () => undefined,
      frame: ({ index }) => {
        const { user, system } = process.cpuUsage(mark)
        // Frame 0 is the initial state, without a step before it.
        if (index > 0) ms.push((user + system) / 1000)
        mark = process.cpuUsage()
      },
      contacts: contacts => { count = contacts.count },
      joints: () => undefined, forces: () => undefined, deformables: () => undefined, certificate: () => undefined, script: () => undefined, event: () => undefined,
    },
    contacts: () => count,
    median: () => ms.sort((a, b) => a - b)[Math.floor(ms.length / 2)] ?? NaN,
  }
}
