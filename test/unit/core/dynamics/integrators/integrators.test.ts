import { describe, expect, it } from 'vitest'
import { cos, exp, sin } from '../../../../../core/math/elementary'
import type { Derivative, Integrator } from '../../../../../core/dynamics/integrator'
import { dormandPrince, initialStep, INTEGRATOR_NAMES, integratorByName } from '../../../../../core/dynamics/integrators'

/** ẏ = A y + forcing with y = (sin 2t e^(−t/2), cos t): non-autonomous, nonlinear enough to see every order condition up to 5. */
const truth = (t: number): [number, number] => [exp(sin(t)), exp(sin(t)) * cos(t)]
const derivative: Derivative = (t, y, out) => {
  out[0] = y[0]! * cos(t)
  out[1] = (y[1]! * y[1]!) / y[0]! - y[0]! * sin(t)
}
const ONE = new Float64Array([1, 1])

/** Error at t = 2 after steps of h, and the worst error of the dense output inside the steps. */
function run(integrator: Integrator, h: number): { end: number; dense: number } {
  const steps = Math.round(2 / h)
  let y = new Float64Array(truth(0))
  let dense = 0
  const inside = new Float64Array(2)
  for (let n = 0; n < steps; n++) {
    const out = new Float64Array(2)
    const local = new Float64Array(truth(n * h))
    // Local error of the extension: from a point on the true solution.
    const result = integrator.step(derivative, n * h, local, h, ONE, out)
    for (const theta of [0.13, 0.37, 0.5, 0.71, 0.94]) {
      result.dense.at(n * h + theta * h, inside)
      const exact = truth(n * h + theta * h)
      dense = Math.max(dense, Math.abs(inside[0]! - exact[0]), Math.abs(inside[1]! - exact[1]))
    }
    const next = new Float64Array(2)
    integrator.step(derivative, n * h, y, h, ONE, next)
    y = next
  }
  const exact = truth(2)
  return { end: Math.max(Math.abs(y[0]! - exact[0]), Math.abs(y[1]! - exact[1])), dense }
}

const log2 = (x: number) => Math.log2(x)

describe.each(INTEGRATOR_NAMES)('%s', name => {
  // A tolerance of 1e6 accepts every step: fixed steps show the order.
  const make = () => integratorByName(name, 1e6)

  it('converges with its order', () => {
    const h = 1 / 32
    const coarse = run(make(), h)
    const fine = run(make(), h / 2)
    expect(log2(coarse.end / fine.end)).toBeGreaterThan(make().order - 0.25)
    expect(log2(coarse.end / fine.end)).toBeLessThan(make().order + 0.9)
  })

  it('has a dense output as accurate as the step, or third order', () => {
    const h = 1 / 32
    const coarse = run(make(), h)
    const fine = run(make(), h / 2)
    const localOrder = Math.min(make().order, name === 'dormand-prince' ? 5 : 3) + 1
    expect(log2(coarse.dense / fine.dense)).toBeGreaterThan(localOrder - 0.35)
  })

  it('gives the ends of a step exactly from the dense output', () => {
    const integrator = make()
    const y = new Float64Array(truth(0.3))
    const out = new Float64Array(2)
    const { dense } = integrator.step(derivative, 0.3, y, 0.1, ONE, out)
    const read = new Float64Array(2)
    dense.at(dense.start, read)
    expect([...read]).toEqual([...y])
    dense.at(dense.end, read)
    expect([...read]).toEqual([...out])
  })

  it('does not change the state it starts from', () => {
    const y = new Float64Array(truth(0))
    make().step(derivative, 0, y, 0.1, ONE, new Float64Array(2))
    expect([...y]).toEqual(truth(0))
  })

  it('never accepts a step that is not a number', () => {
    const bad: Derivative = (t, _y, out) => {
      out[0] = t > 0.05 ? NaN : 1
      out[1] = 0
    }
    const result = make().step(bad, 0, new Float64Array([0, 0]), 0.2, ONE, new Float64Array(2))
    if (name === 'euler') return expect(result.accepted).toBe(true)
    expect(result.accepted).toBe(false)
    expect(result.nextStep).toBeLessThan(0.2)
    expect(result.nextStep).toBeGreaterThan(0)
  })
})

describe('Dormand–Prince', () => {
  const oscillator: Derivative = (_t, y, out) => {
    out[0] = y[1]!
    out[1] = -y[0]!
  }

  function integrate(tolerance: number, end: number): { error: number; evaluations: number } {
    let evaluations = 0
    const counted: Derivative = (t, y, out) => {
      evaluations++
      oscillator(t, y, out)
    }
    const integrator = dormandPrince(tolerance)
    let t = 0
    let y = new Float64Array([0, 1])
    let h = initialStep(counted, 0, y, ONE, tolerance, 5)
    while (t < end) {
      const step = Math.min(h, end - t)
      const out = new Float64Array(2)
      const result = integrator.step(counted, t, y, step, ONE, out)
      h = result.nextStep
      if (!result.accepted) continue
      t = step === end - t ? end : t + step
      y = out
    }
    return { error: Math.hypot(y[0]! - sin(end), y[1]! - cos(end)), evaluations }
  }

  it.each([1e-6, 1e-9, 1e-12])('keeps a harmonic oscillator within tolerance × time, tolerance %d', tolerance => {
    const { error } = integrate(tolerance, 20)
    expect(error).toBeLessThan(20 * tolerance)
    expect(error).toBeGreaterThan(tolerance / 1000)
  })

  it('spends six evaluations a step: the seventh stage is the next first one', () => {
    let evaluations = 0
    const counted: Derivative = (t, y, out) => {
      evaluations++
      oscillator(t, y, out)
    }
    const integrator = dormandPrince(1e-6)
    let y = new Float64Array([0, 1])
    for (let n = 0; n < 10; n++) {
      const out = new Float64Array(2)
      expect(integrator.step(counted, n / 16, y, 1 / 16, ONE, out).accepted).toBe(true)
      y = out
    }
    expect(evaluations).toBe(61)
  })

  it('takes a fresh first stage after a reset and from a projected state', () => {
    let evaluations = 0
    const counted: Derivative = (t, y, out) => {
      evaluations++
      oscillator(t, y, out)
    }
    const integrator = dormandPrince(1e-6)
    const out = new Float64Array(2)
    integrator.step(counted, 0, new Float64Array([0, 1]), 1 / 16, ONE, out)
    integrator.reset()
    integrator.step(counted, 1 / 16, out.slice(), 1 / 16, ONE, new Float64Array(2))
    expect(evaluations).toBe(14)
    const moved = out.map(v => v + 1e-15)
    integrator.step(counted, 1 / 8, moved, 1 / 16, ONE, out)
    expect(evaluations).toBe(21)
  })

  it('rejects a step that is far too long and proposes a shorter one', () => {
    const out = new Float64Array(2)
    const result = dormandPrince(1e-9).step(oscillator, 0, new Float64Array([0, 1]), 3, ONE, out)
    expect(result.accepted).toBe(false)
    expect(result.error).toBeGreaterThan(1)
    expect(result.nextStep).toBeLessThan(3)
  })

  it('measures the error relative to the scale: a component of infinite scale is ignored', () => {
    const out = new Float64Array(2)
    const free = new Float64Array([Infinity, Infinity])
    expect(dormandPrince(1e-9).step(oscillator, 0, new Float64Array([0, 1]), 3, free, out).error).toBe(0)
  })
})
