import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { curveOf, evaluateCurves, type CurveFrame } from '../../../../core/analysis/curve'
import { MeasureError } from '../../../../core/expression'
import { BODY_STRIDE, type CertificateFrame, type ContactFrame, type JointFrame } from '../../../../core/trajectory/frame'

const scene = {
  bodyIds: ['a', 'x'], jointIds: ['pin', 'rail', 'ball'], jointTypes: ['hinge', 'cylindrical', 'ball'], sensorIds: ['imu', 'eye'], sensorTypes: ['imu', 'range'],
}

/** Body a at (t², 2t, 0), x at the origin; the hinge at angle t³; two contacts. */
function frameAt(t: number, index: number): CurveFrame {
  const bodies = new Float64Array(2 * BODY_STRIDE)
  bodies.set([t * t, 2 * t, 0], 0)
  bodies.set([2 * t, 2, 0], 7)
  bodies.set([0, 0, 3], 10)
  return {
    time: t, index, frame: { index, time: t, bodies, hash: '' }, events: new Map(), plots: new Map([['lift', t]]), sensors: Float64Array.of(1, 2, 2, 0, 0, 5, 7),
    momentum: { linear: [1, 2, 3], angular: [0, 0, 1] },
    contacts: {
      count: 2, bodyA: Int32Array.of(0, 0), bodyB: Int32Array.of(1, 1), normalForce: Float64Array.of(3, 4), gap: Float64Array.of(0, 0),
      frictionForce: Float64Array.of(1, 0, 0, 0, 2, 0), relativeVelocity: Float64Array.of(5, 0, 0, 0, 7, 0),
    } as Partial<ContactFrame> as ContactFrame,
    joints: {
      position: Float64Array.of(t * t * t, 1, NaN), velocity: Float64Array.of(3 * t * t, 0, NaN), secondPosition: Float64Array.of(NaN, 8, NaN),
      force: Float64Array.of(2, 3, 6, 0, 0, 0, 0, 0, 0), torque: new Float64Array(9),
    } as Partial<JointFrame> as JointFrame,
    certificate: { energy: { kinetic: 2, potential: t, elastic: 0 } } as Partial<CertificateFrame> as CertificateFrame,
  }
}

async function valuesOf(text: string, times: readonly number[] = [0, 1, 2, 3]): Promise<number[]> {
  const [values] = await evaluateCurves([curveOf(text, scene)], Float64Array.from(times), () => times.map(frameAt))
  return [...values!]
}
const faultOf = (text: string) => {
  try {
    curveOf(text, scene)
  } catch (error) {
    if (error instanceof MeasureError) return error
    throw error
  }
  throw new Error(`${text} was taken`)
}

describe('a curve by a formula', () => {
  it('adds, multiplies, and takes norms of vectors', async () => {
    expect(() => curveOf('2 * bodies.a.position.y + energy.kinetic', scene)).toThrow('has no meaning')
    expect(await valuesOf('2 * bodies.a.position.y + 1')).toEqual([1, 5, 9, 13])
    expect(await valuesOf('norm(bodies.a.position - bodies.x.position)', [0, 1])).toEqual([0, Math.sqrt(5)])
    expect(await valuesOf('dot(bodies.a.linearVelocity, bodies.a.linearVelocity)', [1])).toEqual([8])
    expect(await valuesOf('norm(cross(bodies.a.angularVelocity, bodies.a.position))', [1])).toEqual([3 * Math.sqrt(5)])
    expect(await valuesOf('norm(joints.pin.force)', [1])).toEqual([7])
    expect(await valuesOf('sensors.eye.distance + norm(bodies.x.position)', [1])).toEqual([7])
    expect(await valuesOf('plots.lift * joints.rail.position[1]', [3])).toEqual([24])
  })

  it('combines quantities of contacts contact by contact, and sums', async () => {
    expect(await valuesOf('contacts.a.x.normalForce', [0])).toEqual([7])
    expect(await valuesOf('contacts.a.frictionForce * contacts.a.slipSpeed', [0])).toEqual([1 * 5 + 2 * 7])
    expect(await valuesOf('max(contacts.normalForce) - min(contacts.normalForce)', [0])).toEqual([1])
  })

  it('differentiates polynomials of second degree exactly, on uneven times', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 3, maxLength: 12 }), async steps => {
      const times = steps.map((_, k) => steps.slice(0, k + 1).reduce((sum, step) => sum + step, 0))
      const slopes = await valuesOf('derivative(bodies.a.position.x)', times)
      slopes.slice(1, -1).forEach((slope, k) => expect(slope).toBeCloseTo(2 * times[k + 1]!, 9))
    }))
  })

  it('nests derivatives and integrals', async () => {
    const second = await valuesOf('derivative(derivative(joints.pin.position))', [0, 0.001, 0.002, 0.003, 0.004, 0.005])
    expect(second[2]).toBeCloseTo(6 * 0.002, 9)
    expect(await valuesOf('integral(bodies.a.linearVelocity.x) - bodies.a.position.x')).toEqual([0, 0, 0, 0])
    expect(await valuesOf('norm(derivative(bodies.a.position) - bodies.a.linearVelocity)')).toEqual([1, 0, 0, 1])
  })

  it('derives units if they can be derived', () => {
    const units: Readonly<Record<string, string>> = {
      'energy.kinetic + energy.potential': 'J', 'norm(bodies.a.linearVelocity)': 'm/s', 'derivative(bodies.a.speed)': 'm/s²', 'derivative(energy.kinetic)': 'W',
      'norm(joints.pin.force) * bodies.a.speed': 'W', 'joints.pin.position': 'rad', 'derivative(joints.pin.position)': 'rad/s', 'joints.rail.position[1]': 'm',
      'contacts.normalForce / norm(bodies.a.position)': 'kg/s²', 'bodies.a.position.z ^ 2': 'm²', 'sqrt(bodies.a.position.z)': 'm^0.5', '1 / time': '1/s',
      'sin(joints.pin.position)': '', 'norm(joints.pin.torque)': 'N m', '2 * norm(joints.pin.torque)': 'N m', 'norm(sensors.imu.specificForce)': 'm/s²',
      'norm(bodies.a.angularVelocity) * norm(bodies.a.position)': 'm/s', 'plots.lift + 1': '', 'norm(momentum.angular)': 'kg m²/s', 'joints.ball.position': '',
      'derivative(contacts.normalForce)': 'kg m/s³',
    }
    for (const [text, unit] of Object.entries(units)) expect([text, curveOf(text, scene).unit]).toEqual([text, unit])
  })

  it('refuses meaningless formulas, with the place and what is allowed', () => {
    expect(faultOf('energy.kinetic + bodies.a.speed')).toMatchObject({ at: 15, message: '"+" of J and m/s has no meaning.', allowed: 'quantities of one unit' })
    expect(faultOf('bodies.a.position')).toMatchObject({ at: 0, message: expect.stringContaining('is a vector') as string })
    expect(faultOf('bodies.a.position * bodies.a.position').allowed).toBe('dot(a, b), cross(a, b)')
    expect(faultOf('1 + bodies.b.position.z')).toMatchObject({ at: 4, allowed: 'a, x' })
    expect(faultOf('bodie.a.speed').message).toContain('Did you mean "bodies"?')
    expect(faultOf('sin(energy.kinetic)').message).toBe('sin takes an angle in radians, not J.')
    expect(faultOf('norm(energy.kinetic)').message).toBe('norm takes a vector.')
    expect(faultOf('peak(time)').allowed).toContain('derivative')
    expect(faultOf('time @ 1').message).toContain('not a time series')
    expect(faultOf('max(time)').message).toContain('contacts')
    expect(faultOf('joints.pin.position[1]').allowed).toBe('[0] to [0]')
    expect(faultOf('sensors.imu.distance').allowed).toBe('specificForce, angularRate')
    expect(faultOf('time +').at).toBe(6)
  })
})
