import { describe, expect, it } from 'vitest'
import { MessageCache } from '../../../../renderer/state/message-cache'
import { cachedMoment, loadMoment, type RunLayout } from '../../../../renderer/state/moment'
import type { RunMessages } from '../../../../renderer/state/trajectory'

const layout: RunLayout = { frames: 3, deformables: false, sensors: true, scene: null, events: [] }

/** The messages of a running simulation; every channel has some. */
function running(written: Record<string, number>) {
  const cache = (channel: string) => new MessageCache<object>((from, to) => {
    const messages = Array.from({ length: Math.max(0, Math.min(to, written[channel]!) - from) }, (_, i) => ({ index: from + i, time: from + i, bodies: [] }))
    return Promise.resolve({ messages, bytes: 10 * messages.length })
  }, 64, 1e9, 10)
  const channels = ['frames', 'contacts', 'joints', 'certificates', 'sensors']
  return Object.fromEntries(channels.map(channel => [channel, cache(channel)])) as unknown as RunMessages
}

describe('the data of one time', () => {
  it.each(['contacts', 'joints', 'certificates', 'sensors'])('are complete once %s, written last, are there', async late => {
    const written: Record<string, number> = { frames: 3, contacts: 3, joints: 3, certificates: 3, sensors: 3, [late]: 2 }
    const source = running(written)
    await loadMoment(source, layout, 2)
    expect(cachedMoment(source, layout, 2, 2)).toBeNull()
    written[late] = 3
    await loadMoment(source, layout, 2)
    expect(cachedMoment(source, layout, 2, 2)).toMatchObject({ contacts: { index: 2 }, joints: { index: 2 }, certificate: { index: 2 }, sensors: { index: 2 } })
  })
})
