import { describe, expect, it } from 'vitest'
import { simulate } from '../../../../core/simulation'
import { box, floor, sceneOf } from '../../../verification/support'

describe.each(['event-driven', 'time-stepping', 'penalty'])('the longest run with the most frames that a scene allows, by %s', method => {
  it('begins at once, and ends when it is cancelled', () => {
    let frames = 0
    const nothing = (): void => undefined
    const end = simulate(sceneOf([floor, box('block', [1, 1, 1], [0, 0, 0.5])], 0.5, { method, duration: 1e6, outputRate: 1e6 }), {
      sink: { header: nothing, frame: () => { frames++ }, contacts: nothing, joints: nothing, forces: nothing, script: nothing, certificate: nothing, event: nothing, deformables: nothing },
      cancelled: () => frames >= 20, now: () => 0, scripts: { load: () => { throw new Error('there are no scripts') }, dispose: nothing },
    })
    expect([end.status, end.frames >= 20, end.simulatedTime < 1e-3]).toEqual(['cancelled', true, true])
  })
})
