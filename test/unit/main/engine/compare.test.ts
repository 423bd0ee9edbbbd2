import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { differences, type Differences } from '../../../../main/engine/compare'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { comparisonPage } from '../../../../main/cli/compare-page'
import { Recorder } from '../../../../main/run/recorder'
import { scratch } from '../built'
import { recordFrame, sampleEnd, sampleEvent, sampleHeader, sampleScene } from '../run/trajectory-sample'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const frames = 40
const exact = { position: 0, rotation: 0, velocity: 0, spin: 0, force: 0, event: 0 } as const

interface Change {
  /** From this frame on, changes the states (26 doubles: bodies a and b) in place. */
  readonly from?: number
  readonly states?: (bodies: Float64Array, index: number) => void
  /** Added to the one contact's normal force. */
  readonly force?: number
  readonly events?: readonly number[]
  readonly frames?: number
}

/** The sample run with one change from a given frame on. */
function recorded(name: string, { from = 0, states, force = 0, events = [0.05], frames: count = frames }: Change = {}): TrajectoryReader {
  const path = join(folder, `${name}.mcap`)
  const recorder = new Recorder({ path, scene: sampleScene, now: () => 0, progress: () => undefined })
  recorder.header(sampleHeader(count))
  const plain = { frame: recorder.frame.bind(recorder), contacts: recorder.contacts.bind(recorder) }
  recorder.frame = frame => {
    if (frame.index >= from) states?.(frame.bodies, frame.index)
    plain.frame(frame)
  }
  recorder.contacts = contacts => {
    if (contacts.index >= from) contacts.normalForce[0]! += force
    plain.contacts(contacts)
  }
  for (let index = 0; index < count; index++) recordFrame(recorder, index)
  events.forEach((time, index) => recorder.event(sampleEvent(index, time)))
  recorder.end(sampleEnd(count))
  return new TrajectoryReader(path)
}

async function compared(change: Change, tolerances: Parameters<typeof differences>[2] = exact): Promise<Differences> {
  const [a, b] = [recorded('a'), recorded('b', change)]
  const found = await differences(a, b, tolerances)
  a.close()
  b.close()
  return found
}

const at = (frame: number) => frame / 240

describe('two runs', () => {
  it('are equal if they are the same to the last bit', async () => {
    expect(await compared({})).toMatchObject({ equal: true, divergence: null, commonFrames: frames, bodies: [], worst: { position: { difference: 0 }, force: { difference: 0 } } })
  })

  it('diverge at the first body that differs: time, body and distance', async () => {
    const found = await compared({ from: 17, states: (bodies, index) => { bodies[13]! += 1e-6 * (index - 16) } })
    expect(found.divergence).toMatchObject({ time: at(17), quantity: 'position', of: 'b', difference: expect.closeTo(1e-6, 15) as number })
    expect(found.worst.position).toMatchObject({ of: 'b', time: at(39), difference: expect.closeTo(23e-6, 15) as number })
    expect(found.bodies).toMatchObject([{ body: 'b', since: at(17), time: at(39) }])
    expect(found.series.position.slice(15, 19).map(value => Math.round(value * 1e6))).toStrictEqual([0, 0, 1, 2])
  })

  it('are equal within a tolerance, and diverge later with a wider one', async () => {
    const leaving: Change = { from: 17, states: (bodies, index) => { bodies[13]! += 1e-6 * (index - 16) } }
    expect((await compared(leaving, { position: 1e-4 })).equal).toBe(true)
    expect((await compared(leaving, { position: 1.05e-5 })).divergence).toMatchObject({ time: at(27) })
    expect((await compared(leaving, { force: 0 })).equal).toBe(true) // quantities without a tolerance are not judged
  })

  it('differ by an orientation, a velocity, an angular velocity', async () => {
    const half = 0.5e-9
    expect((await compared({ from: 3, states: bodies => bodies.set([Math.sin(half), 0, 0, -Math.cos(half)].map(value => -value), 3) })).divergence)
      .toMatchObject({ time: at(3), quantity: 'rotation', of: 'a', difference: expect.closeTo(2 * half, 15) as number })
    expect((await compared({ from: 4, states: bodies => { bodies[13 + 8] = 0.5 } })).divergence).toMatchObject({ time: at(4), quantity: 'velocity', of: 'b', difference: 0.5 })
    expect((await compared({ from: 5, states: bodies => { bodies[12] = -2 } })).divergence).toMatchObject({ time: at(5), quantity: 'spin', of: 'a', difference: 2 })
  })

  it('differ in the force of a contact, by its pair', async () => {
    const found = await compared({ from: 9, force: -0.25 })
    expect(found.divergence).toMatchObject({ time: at(9), quantity: 'force', of: 'a – b', difference: 0.25 })
    expect(found.worst.position.difference).toBe(0)
  })

  it('differ in events: events of the same kind and bodies are paired in order of time', async () => {
    const found = await compared({ events: [0.05 + 1e-4, 0.1] }, { event: 1e-3 })
    expect(found.events).toMatchObject({ matched: 1, onlyFirstCount: 0, onlySecondCount: 1, onlySecond: [{ time: 0.1, kind: 'impact', bodies: ['a', 'b'] }] })
    expect(found.events.largestShift).toBeCloseTo(1e-4, 12)
    expect(found.divergence).toMatchObject({ time: 0.1, quantity: 'event', of: 'impact a – b' })
    expect((await compared({ events: [0.06] }, { event: 1e-3 })).events).toMatchObject({ matched: 0, onlyFirstCount: 1, onlySecondCount: 1 })
  })

  it('differ in length, and in bodies that exist', async () => {
    expect((await compared({ frames: 30 })).divergence).toMatchObject({ time: at(29), quantity: 'length' })
    expect((await compared({ from: 0, states: (bodies, index) => { if (index < 8) bodies.fill(NaN, 13) } })).divergence).toMatchObject({ time: 0, quantity: 'existence', of: 'b' })
  })
})

describe('the report', () => {
  it('is one self-contained page, whatever the names are', async () => {
    const found = await compared({ from: 17, states: bodies => { bodies[13]! += 1e-6 } })
    const page = comparisonPage(found, ['<a>.mcap', 'b"&.mcap'])
    expect(page).toContain('&lt;a&gt;.mcap')
    expect(page).toContain('Different: at 0.07083333333333333 s the position of b differs by 0.000001 m.')
    expect(page.match(/<polyline/g)!.length).toBeGreaterThan(0)
    expect(page).not.toMatch(/<script|https?:|@import|url\(/)
  })
})
