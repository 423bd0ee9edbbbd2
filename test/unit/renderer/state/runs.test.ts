import { createPinia, setActivePinia } from 'pinia'
import { nextTick } from 'vue'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { encodeCertificate, encodeContacts, encodeFrame, encodeJoints } from '../../../../core/trajectory/codec'
import { BODY_STRIDE, type CertificateFrame, type ContactFrame, type Frame, type JointFrame } from '../../../../core/trajectory/frame'
import { HostError, type Engine, type Host } from '../../../../main/protocol/host'
import type { MessageRange, RunInfo } from '../../../../main/protocol/runs'
import type { Scene } from '../../../../core/scene'
import { useDocument } from '../../../../renderer/state/document'
import { setHost } from '../../../../renderer/state/host'
import { usePlayback } from '../../../../renderer/state/playback'
import { useProblems } from '../../../../renderer/state/problems'
import { useRuns } from '../../../../renderer/state/runs'

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'm' }],
  bodies: [{ id: 'ball', position: [0, 0, 0], shapes: [{ type: 'sphere', radius: 1, material: 'm' }] }], simulation: { duration: 1, outputRate: 100 },
}

/** A ball at x = time, 101 frames; the host returns bytes, as over the wire. */
function frameAt(index: number): Frame {
  const bodies = new Float64Array(BODY_STRIDE)
  bodies[0] = index / 100
  bodies[6] = 1
  bodies[7] = 1
  return { index, time: index / 100, bodies, hash: '00000000000000ff' }
}
const none = () => new Float64Array(0)
const nothing = () => new Int32Array(0)
const contactsAt = (index: number): ContactFrame => ({
  index, time: index / 100, count: 0, bodyA: nothing(), bodyB: nothing(), shapeA: nothing(), shapeB: nothing(), featureKindA: nothing(), featureA: nothing(),
  featureKindB: nothing(), featureB: nothing(), point: none(), normal: none(), gap: none(), normalForce: none(), frictionForce: none(), frictionTorque: none(),
  staticFriction: none(), dynamicFriction: none(), coneUsage: none(), mode: nothing(), relativeVelocity: none(), interval: none(), indexSet: nothing(), island: nothing(),
  normalAcceleration: none(), torsionalFriction: none(), rollingFriction: none(), tangentialAcceleration: none(), constraint: nothing(),
})
const jointsAt = (index: number): JointFrame => ({
  index, time: index / 100, force: none(), torque: none(), error: none(), position: none(), velocity: none(),
  secondPosition: none(), secondVelocity: none(), motorForce: none(), limitForce: none(), anchor: none(), broken: nothing(),
})
const certificateAt = (index: number): CertificateFrame => ({
  index, time: index / 100, maxPenetration: 0, maxComplementarity: 0, maxJointError: 0, maxConeViolation: 0, steps: 1, solverCalls: 0, basisHits: 0, pivots: 0, contacts: 0, degraded: 0,
  solvedIsland: nothing(), solvedSweeps: nothing(), solvedResidual: none(), residualHistory: none(), asleep: nothing(), residualTime: 0.01,
  energy: { kinetic: 0, potential: 0, initial: 0, friction: 0, impacts: 0, drag: 0, scripts: 0, joints: 0, kinematic: 0, spawned: 0, elastic: 0, damping: 0, numerical: 0, residual: 0 },
})

const info = (more: Partial<RunInfo> = {}): RunInfo => ({
  id: 'r1', name: 'Run 1', status: 'completed', sceneHash: 'hash-of-first', frames: 101, startTime: 0, simulatedTime: 1, wallTime: 0.5, timeLeft: null, end: null, preparing: null, problem: null,
  warnings: [], bytes: 1000, ...more,
  header: { engine: '1', sceneHash: 'hash-of-first', sceneName: '', bodyIds: ['ball'], jointIds: [], jointBodyA: nothing(), jointBodyB: nothing(), forceIds: [], weights: new Float64Array(3), duration: 1, outputRate: 100, method: 'event-driven', solver: 'dantzig', staticFriction: 'exact', sensorIds: [], sensorTypes: [], deformableIds: [], deformableParticles: new Int32Array(0), deformableElements: new Int32Array(0), deformableHeld: new Int32Array(0) },
})

let frames = 101
const engine = {
  simulate: vi.fn((): Promise<RunInfo> => Promise.resolve(info())),
  runs: () => Promise.resolve([info()]),
  check: () => Promise.resolve([]),
  hash: (text: string) => Promise.resolve(text.includes('renamed') || !text.includes('9') ? 'hash-of-first' : 'hash-of-another'),
  read: vi.fn((_run: string, ranges: readonly MessageRange[]) => Promise.resolve(ranges.map(({ channel, from, to }) => {
    const indices = Array.from({ length: Math.max(0, Math.min(to, frames) - from) }, (_, i) => from + i)
    switch (channel) {
      case 'frames': return indices.map(i => encodeFrame(frameAt(i)))
      case 'contacts': return indices.map(i => encodeContacts(contactsAt(i)))
      case 'joints': return indices.map(i => encodeJoints(jointsAt(i)))
      case 'certificate': return indices.map(i => encodeCertificate(certificateAt(i)))
      default: return []
    }
  }))),
}
const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve()
  await nextTick()
}

afterEach(() => vi.unstubAllGlobals())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  frames = 101
  engine.simulate.mockReset().mockResolvedValue(info())
  engine.read.mockClear()
  setActivePinia(createPinia())
  setHost({ engine: engine as unknown as Engine } as Host)
  useDocument().load({ scene, text: null, handle: 'h', name: 'x', savable: true })
})

const move = (draft: Scene) => { draft.bodies![0]!.position = [9, 0, 0] }

describe('the primary button', () => {
  it('goes from Simulate to Up to date, and to Simulate again after an edit', async () => {
    const runs = useRuns()
    expect(runs.primary.label).toBe('Simulate')
    const starting = runs.simulate()
    expect(runs.primary).toMatchObject({ state: 'starting' })
    await starting
    expect(runs.primary.label).toBe('Up to date')
    useDocument().edit('move', move)
    expect(runs.primary).toMatchObject({ state: 'stale', label: 'Simulate again' })
    useDocument().undo()
    expect(runs.primary.label).toBe('Up to date')
  })

  it('stays up to date after an edit that changes no result', async () => {
    const runs = useRuns()
    await runs.simulate()
    useDocument().edit('rename', draft => { draft.bodies![0]!.name = 'renamed' })
    expect(runs.stale).toBe(true)
    await vi.advanceTimersByTimeAsync(300)
    expect(runs.stale).toBe(false)
    useDocument().edit('move', move)
    await vi.advanceTimersByTimeAsync(300)
    expect(runs.stale).toBe(false)
    useDocument().edit('move and name', draft => {
      move(draft)
      draft.bodies![0]!.name = 'ball'
    })
    await vi.advanceTimersByTimeAsync(300)
    expect(runs.stale).toBe(true)
  })

  it('counts a running computation and can cancel it', async () => {
    const runs = useRuns()
    engine.simulate.mockResolvedValue(info({ status: 'running', simulatedTime: 0.42, timeLeft: 3, wallTime: 4, frames: 43 }))
    await runs.simulate()
    expect(runs.primary).toEqual({ state: 'running', label: 'Cancel · 42 % · 3 s left' })
    // The first frames do not allow an estimate.
    runs.update(info({ status: 'running', simulatedTime: 0.42, timeLeft: 660, wallTime: 0.4, frames: 43 }))
    expect(runs.primary.label).toBe('Cancel · 42 %')
    runs.update(info({ status: 'cancelled', simulatedTime: 0.5, frames: 51 }))
    expect(runs.primary.label).toBe('Simulate again')
  })

  it('shows that a run stopped, and keeps the reason among the problems', async () => {
    const runs = useRuns()
    engine.simulate.mockResolvedValue(info({
      status: 'stopped', simulatedTime: 0.371, problem: { name: 'ScriptError', severity: 'error', message: 'threw', path: '', ids: ['push.ts'], time: 0.371, line: 3 },
    }))
    await runs.simulate()
    expect(runs.primary.label).toBe('Stopped at 0.37 s · show why')
    expect(useProblems().errors[0]!.message).toBe('threw')
  })

  it('shows why a scene cannot be simulated, until it is edited', async () => {
    const runs = useRuns()
    engine.simulate.mockRejectedValue(new HostError('Refused', 'no', [{ name: 'InitialPenetration', severity: 'error', message: 'overlap', path: '', ids: ['ball'] }]))
    expect(await runs.simulate()).toBeNull()
    expect(runs.primary.state).toBe('refused')
    expect([...useProblems().overlapping]).toEqual(['ball'])
    useDocument().edit('move', move)
    expect(runs.primary.label).toBe('Simulate')
  })
})

describe('playback', () => {
  async function ready() {
    const playback = usePlayback()
    await useRuns().simulate()
    await settle()
    return playback
  }

  it('shows the first frame of a finished run', async () => {
    const playback = await ready()
    expect(playback.frame?.index).toBe(0)
    expect(playback.shownScene).toBe(scene)
  })

  it('shows a cached frame in the tick in which it is requested', async () => {
    const playback = await ready()
    playback.seek(0.3)
    expect(playback.frame?.index).toBe(30)
    expect(playback.waiting).toBe(false)
  })

  it('requests the data of a time that are not cached at once', async () => {
    const playback = await ready()
    engine.read.mockClear()
    playback.seek(0.8)
    await settle()
    expect(playback.frame?.index).toBe(80)
    expect(engine.read.mock.calls.map(([, ranges]) => ranges.map(({ channel }) => channel))).toEqual([['frames', 'contacts', 'joints', 'certificate']])
  })

  it('shows the last requested frame when several are pending', async () => {
    const playback = await ready()
    playback.seek(0.8)
    playback.seek(0.9)
    expect(playback.waiting).toBe(true)
    await settle()
    expect(playback.frame?.index).toBe(90)
    expect(playback.waiting).toBe(false)
  })

  it('shows nothing before the start of a run that begins later; an edit still returns to t = 0', async () => {
    engine.simulate.mockReset().mockResolvedValue({ ...info(), header: { ...info().header!, duration: 2 }, startTime: 1, simulatedTime: 2 })
    const playback = await ready()
    expect([playback.time, playback.earliest]).toEqual([1, 1])
    playback.seek(0.3)
    expect([playback.time, playback.frame?.index]).toEqual([1, 0])
    playback.seek(1.5)
    await settle()
    expect(playback.frame?.index).toBe(50)
    playback.loopRange(0.2, 1.2)
    expect(playback.loop).toEqual({ from: 1, to: 1.2 })
    playback.command({ type: 'start' })
    expect(playback.time).toBe(1)
    playback.seek(1.5)
    playback.returnToStart()
    useDocument().edit('move', move)
    await settle()
    expect([playback.time, playback.earliest, playback.returnedFrom]).toEqual([0, 0, 1.5])
    expect(playback.shownScene).toBe(useDocument().scene)
  })

  it('does not start by seeking', async () => {
    const playback = await ready()
    playback.seek(0.5)
    expect(playback.playing).toBe(false)
  })

  it('keeps a new run at its start where the system asks for less motion, and tells its end', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: vi.fn() }))
    const [runs, playback, shown] = [useRuns(), usePlayback(), vi.fn()]
    playback.onShown.add(shown)
    engine.simulate.mockResolvedValue(info({ status: 'running', simulatedTime: 0.42, frames: 43 }))
    await runs.simulate()
    playback.playFirst()
    await settle()
    expect([playback.playing, playback.time, shown.mock.calls.length]).toEqual([false, 0, 0])
    runs.update(info())
    await settle() // until the change is seen
    await settle() // until the events are read
    expect([playback.playing, playback.time, shown.mock.calls.length]).toEqual([false, 0, 1])
  })

  it('plays to the end what is played before the events of a run at its start have arrived', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: vi.fn() }))
    const pictures: FrameRequestCallback[] = []
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => pictures.push(callback))
    const playback = await ready()
    playback.playFirst()
    playback.play()
    for (let now = performance.now(); playback.playing; await settle()) pictures.splice(0).forEach(callback => callback(now += 100))
    expect(playback.time).toBe(1)
  })

  it('interpolates at an exact time between two frames', async () => {
    const playback = await ready()
    playback.seek(0.1234)
    expect(playback.frame!.time).toBe(0.1234)
    expect(playback.frame!.bodies[0]).toBeCloseTo(0.1234, 12)
    expect(playback.contacts!.index).toBe(12)
  })

  it('steps from a time between two frames to the next frame in that direction', async () => {
    const playback = await ready()
    playback.seek(0.1234)
    playback.step(1)
    expect(playback.time).toBeCloseTo(0.13, 12)
    playback.seek(0.1234)
    playback.step(-1)
    expect(playback.time).toBeCloseTo(0.12, 12)
  })

  it('does not go beyond the computed frames', async () => {
    const playback = await ready()
    playback.seek(7)
    expect(playback.time).toBe(1)
    playback.seek(-1)
    expect(playback.time).toBe(0)
  })

  it('returns to the start for an edit, shows from where, and can go back', async () => {
    const playback = await ready()
    playback.seek(0.5)
    useDocument().edit('move', move)
    expect(playback.time).toBe(0)
    expect(playback.returnedFrom).toBe(0.5)
    await settle()
    expect(playback.frame).toBeNull()
    expect(playback.shownScene).toBe(useDocument().scene)
    playback.backToTime()
    await settle()
    expect(playback.time).toBe(0.5)
    expect(playback.shownScene).toBe(scene)
    expect(playback.stale).toBe(true)
  })

  it('reads new frames while the run computes', async () => {
    frames = 11
    engine.simulate.mockResolvedValue(info({ status: 'running', frames: 11, simulatedTime: 0.1 }))
    const playback = await ready()
    playback.seek(0.5)
    expect(playback.time).toBe(0.1)
    frames = 101
    useRuns().update(info())
    playback.seek(0.5)
    await settle()
    expect(playback.frame?.index).toBe(50)
  })
})
