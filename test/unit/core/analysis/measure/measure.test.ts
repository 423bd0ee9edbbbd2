import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { MeasureError, Measures, parseMeasure, parseMeasures, type MeasuredFrame } from '../../../../../core/analysis/measure'
import { BODY_STRIDE, type CertificateFrame, type ContactFrame, type JointFrame } from '../../../../../core/trajectory/frame'

const scene = { bodyIds: ['ball', 'floor', 'odd id'], jointIds: ['hinge'] }

/** A ball at height z; contacts [bodyA, bodyB, normal force]. */
function frameAt(time: number, z: number, contacts: readonly (readonly [number, number, number])[] = [], extra: Partial<MeasuredFrame> = {}): MeasuredFrame {
  const bodies = new Float64Array(3 * BODY_STRIDE)
  bodies[2] = z
  bodies[7] = 3
  bodies[9] = 4
  return {
    time, frame: { index: 0, time, bodies, hash: '' }, events: new Map(), plots: new Map(),
    contacts: {
      count: contacts.length, bodyA: Int32Array.from(contacts, ([a]) => a), bodyB: Int32Array.from(contacts, ([, b]) => b),
      normalForce: Float64Array.from(contacts, ([, , f]) => f), gap: new Float64Array(contacts.length),
    } as Partial<ContactFrame> as ContactFrame,
    joints: { position: Float64Array.of(time), force: Float64Array.of(1, 2, 2) } as Partial<JointFrame> as JointFrame,
    certificate: { maxPenetration: 0, energy: { kinetic: 2, potential: z, elastic: 0, residual: 1e-9 } } as Partial<CertificateFrame> as CertificateFrame, ...extra,
  }
}

function measured(text: string, frames: readonly MeasuredFrame[]): number[] {
  const measures = new Measures(parseMeasures(text), scene)
  for (const frame of frames) measures.frame(frame)
  return measures.results()
}

const falling = [0, 1, 2, 3].map(t => frameAt(t, 9 - t * t))

describe('measures', () => {
  it('a channel alone is its value at the end, and @ gives the time', () => {
    expect(measured('bodies.ball.position[2], bodies.ball.position[2]@start, bodies[0].position[2]@1, bodies.ball.position[2] @ 1.5', falling))
      .toEqual([0, 9, 8, 6.5])
  })

  it('aggregates are over time', () => {
    expect(measured('max(bodies.ball.position[2]), min(bodies.ball.position[2]), integral(bodies.ball.position[2]), mean(time)', falling)).toEqual([9, 0, 17.5, 1.5])
    expect(measured('first(bodies.ball.position[2] < 6), last(bodies.ball.position[2] > 6), first(time > 10)', falling)).toEqual([2, 1, NaN])
  })

  it('arithmetic has the usual order, conditions are 1 and 0', () => {
    expect(measured('1 + 2 * 3 - 4 / 2, -(1 + 1) * 3, 2 - 1 - 1, 1 < 2 && 3 != 3 || !0, max(1, 4, 2) - min(abs(-3), 5), sqrt(16)', falling)).toEqual([5, -6, 0, 1, 1, 4])
    expect(measured('max(energy.kinetic + energy.potential) - energy.total@end', falling)).toEqual([9])
  })

  it('channels of contacts: largest in max, smallest in min, any in first, else the sum; by bodies', () => {
    const frames = [frameAt(0, 0, [[0, 1, 2], [0, 2, 5]]), frameAt(1, 0, [[0, 1, 3]]), frameAt(2, 0)]
    expect(measured('max(contacts.normalForce), min(contacts.normalForce), contacts.normalForce@start, contacts.normalForce@end', frames)).toEqual([5, 2, 7, 0])
    expect(measured('max(contacts.floor.normalForce), contacts["odd id"].count@start, max(contacts.ball.floor.normalForce), mean(contacts.count)', frames))
      .toEqual([3, 1, 3, 1])
    expect(measured('first(contacts.normalForce > 2.5), max(contacts.normalForce - 10 * contacts.gap)', frames)).toEqual([0, 5])
  })

  it('reads joints, speeds, energies, events and plots', () => {
    const events = new Map([['impact', { count: 2, firstTime: 0.25, lastTime: 0.5, impulse: 3 }]])
    const frames = [frameAt(0, 1), frameAt(1, 2, [], { events, plots: new Map([['lift', 7]]) })]
    expect(measured('joints.hinge.position, joints.hinge.force, bodies.ball.speed, energy.residual, events.impact, events.impact.firstTime, events.slip, plots.lift', frames))
      .toEqual([1, 3, 5, 1e-9, 2, 0.25, 0, 7])
  })

  it('a body that does not exist yet has no value; the rest of the run counts', () => {
    const absent = frameAt(0, NaN)
    expect(measured('mean(bodies.ball.position[2]), max(bodies.ball.position[2]), bodies.ball.position[2]@start', [absent, frameAt(1, 4), frameAt(2, 6)])).toEqual([5, 6, NaN])
    expect(measured('max(bodies.ball.position[2]), integral(time)', [])).toEqual([NaN, NaN])
  })

  it('is named as written, or by the given name', () => {
    expect(parseMeasures('height = bodies.ball.position[2]@end , max( time )').map(({ name, text }) => [name, text]))
      .toEqual([['height', 'bodies.ball.position[2]@end'], ['max( time )', 'max( time )']])
    expect(() => parseMeasures('a = 1, a = 2')).toThrow('two measures "a"')
  })

  it.each([
    ['', 'ends too early', 0], ['1 +', 'ends too early', 3], ['max(', 'ends too early', 4], ['1 2', '"2" is not expected', 2], ['a ; b', '";" has no meaning', 2],
    ['bodies.bal.position[2]', 'Did you mean "ball"?', 0], ['bodies.ball.position', 'give the index', 0], ['bodies.ball.position[3]', 'has no "3"', 0],
    ['bodies.ball.place[0]', 'has no "place"', 0], ['joints.knee.position', 'no joint "knee"', 0], ['bodys.ball', 'no channel "bodys"', 0],
    ['energy', 'needs a quantity', 0], ['foo(1)', 'no function "foo"', 0], ['max(mean(time))', 'not a time series', 4], ['time@later', '"later" is not expected', 5],
    ['mean(1, 2)', 'takes one argument', 0], ['max(contacts.ball.gap + contacts.floor.gap)', 'different contacts', 22], ['time.x', 'one name or index too many', 0],
    ['constructor', 'no channel "constructor"', 0], ['toString(1)', 'no function "toString"', 0],
  ])('refuses "%s" and says where', (text, message, at) => {
    const build = (): unknown => new Measures(parseMeasures(text), scene)
    expect(build).toThrow(message)
    try {
      build()
    } catch (error) {
      expect(error).toBeInstanceOf(MeasureError)
      expect((error as MeasureError).at).toBe(at)
    }
  })

  it('one expression is one expression', () => {
    expect(parseMeasure('time > 1').text).toBe('time > 1')
    expect(() => parseMeasure('time, time > 1')).toThrow('not several')
  })

  it('every text is parsed or refused; deep nesting is refused', () => {
    expect(() => parseMeasure('('.repeat(5000))).toThrow(MeasureError)
    expect(() => parseMeasure(`${'-'.repeat(5000)}1`)).toThrow(MeasureError)
    const pieces = fc.array(fc.constantFrom('bodies', '.', 'ball', '[2]', '@', 'end', '1', '+', '-', '(', ')', 'max', ',', '<', '!', ' ', '"', '=', 'contacts'), { maxLength: 30 })
    fc.assert(fc.property(fc.oneof(pieces.map(list => list.join('')), fc.string()), text => {
      try {
        new Measures(parseMeasures(text), scene).frame(frameAt(0, 1))
      } catch (error) {
        if (!(error instanceof MeasureError)) throw error
      }
    }))
  })
})
