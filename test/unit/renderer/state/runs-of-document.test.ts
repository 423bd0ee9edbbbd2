import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TrajectoryHeader } from '../../../../core/trajectory/frame'
import type { RunInfo } from '../../../../main/protocol/runs'
import type { Scene } from '../../../../core/scene'
import { useDocument } from '../../../../renderer/state/document'
import { useRuns } from '../../../../renderer/state/runs'

const scene: Scene = { format: 'cairn-scene', version: 1, bodies: [] }
beforeEach(() => {
  vi.useFakeTimers() // there is no host to ask for the hash of the scene
  setActivePinia(createPinia())
})
afterEach(() => vi.useRealTimers())

/** A run as far as the list needs it. */
const named = (sceneName: string, { id = 'r1', sceneHash = 'of-r1' }: Partial<RunInfo>): RunInfo => (
  { id, name: '12:00:00', sceneHash, frames: 1, problem: null, header: { sceneName } as TrajectoryHeader } as RunInfo)
const ids = () => useRuns().ofDocument.map(({ id }) => id)

describe('the runs of a document', () => {
  it.each([undefined, 'Untitled'])('without a name of its own (%s) are those displayed here, or of the same scene', name => {
    const of = name ?? ''
    const runs = useRuns()
    useDocument().load({ scene: { ...scene, name }, text: null, handle: null, name: '', savable: false })
    runs.show(named(of, {}), scene)
    runs.list = [named(of, { id: 'r1' }), named(of, { id: 'of-an-earlier-one', sceneHash: 'other' }), named('ramp', { id: 'of-a-named-one', sceneHash: 'other' })]
    expect(ids()).toEqual(['r1'])
    runs.show(null, null)
    expect(ids()).toEqual(['r1'])
    expect(runs.titleOf(runs.list[0]!)).toBe('Run 1')
    useDocument().load({ scene: { ...scene, name, simulation: { duration: 3 } }, text: null, handle: null, name: '', savable: false })
    expect(ids()).toEqual([])
    runs.documentHash = 'other'
    expect(ids()).toEqual(['of-an-earlier-one'])
  })

  it('with a name are those of that name', () => {
    useDocument().load({ scene: { ...scene, name: 'ramp' }, text: null, handle: null, name: '', savable: false })
    useRuns().list = [named('', { id: 'r1' }), named('ramp', { id: 'of-ramp', sceneHash: 'other' }), named('wall', { id: 'of-wall' })]
    expect(ids()).toEqual(['of-ramp'])
  })
})
