import { describe, expect, it } from 'vitest'
import { check } from '../../core/simulation'
import { integral } from './integrals'
import { bodyIn, floor, recorded, sceneOf, turn, worst } from './support'

const pebble = (exponents: readonly number[], rest: object = {}): object =>
  ({ id: 'pebble', position: [0, 0, 0.52], shapes: [{ type: 'superquadric', radii: [0.5, 0.5, 0.5], exponents, material: 'stone' }], ...rest })

/** Half height of |x|⁴ + |z|⁴ = 1/16 turned by θ: its support function h(θ), with h″ ~ |θ|^(−2/3) at 0. */
const Q = 4 / 3
const height = (turned: number): number => 0.5 * (Math.abs(Math.sin(turned)) ** Q + Math.cos(turned) ** Q) ** (1 / Q)
const slope = (turned: number): number => {
  const [s, c] = [Math.abs(Math.sin(turned)), Math.cos(turned)]
  return 0.5 * Math.sign(turned) * (s ** Q + c ** Q) ** (1 / Q - 1) * (s ** (Q - 1) * c - c ** (Q - 1) * s)
}

/** I/m about an axis through the centre: ⟨x²⟩ + ⟨z²⟩, by Dirichlet's integral, r² Γ(3/4) Γ(7/4) / (Γ(1/4) Γ(9/4)) each, r = ½. */
const GYRATION = 2 * 0.25 * 1.2254167024651776 * 0.9190625268488832 / (3.6256099082219083 * 1.1330030963193474)

/**
 * s: time from rest at θ₀ > 0 to θ, by the energy: ½ (I + m h′²) θ̇² = m g (h(θ₀) − h(θ)) without friction, with m h² added if it rolls. With
 * θ = x³, x = x₀ − (x₀ − x₁) s², what is integrated is smooth, at rest and on the flat spot.
 */
function timeTo(turned: number, from: number, rolls: boolean): number {
  const rate = (at: number): number => Math.sqrt(2 * 9.81 * (height(from) - height(at)) / (GYRATION + slope(at) ** 2 + (rolls ? height(at) ** 2 : 0)))
  const way = Math.cbrt(from) - Math.cbrt(turned)
  const x = (s: number): number => Math.cbrt(from) - way * s * s
  const integrand = (s: number): number => 6 * x(s) ** 2 * s * way / rate(x(s) ** 3)
  // At rest it is 0/0; it is even in s.
  const least = 1e-3
  return integral(integrand, least, 1) + least * integrand(least)
}

const turnedBy = ({ orientation }: { readonly orientation: readonly number[] }): number => 2 * Math.atan2(orientation[1]!, orientation[3]!)

const die = { id: 'die', position: [0, 0, 0.3], linearVelocity: [1, 0, 0], shapes: [{ type: 'superquadric', radii: [0.5, 0.4, 0.3], exponents: [0.4, 0.4], material: 'stone' }] }

describe('a superquadric', () => {
  it.each([[0, 0.05], [0, 0.3], [2, 0.05], [2, 0.3]])('that rocks across its flat spot with friction %d from %d rad has the amplitude given by its energy, and loses none', (friction, from) => {
    const quarter = timeTo(0, from, friction > 0)
    const rocker = pebble([0.5, 0.5], { position: [0, 0, height(from)], orientation: turn([0, 1, 0], from) })
    const run = recorded(sceneOf([floor, rocker], friction, { duration: 8 * quarter, outputRate: 5 / quarter }))
    expect(run.end).toMatchObject({ status: 'completed', fallbacks: { count: 0 } })
    run.frames.forEach(({ time }, k) => {
      const phase = k % 20
      const turned = turnedBy(bodyIn(run, 'pebble', run.frames[k]))
      if (phase % 5 === 0) {
        expect(Math.abs(turned - [from, 0, -from, 0][phase / 5]!)).toBeLessThan(1e-6 * from)
        return
      }
      const sinceRest = phase < 10 ? phase : 20 - phase
      const side = sinceRest < 5 ? 1 : -1
      expect(Math.sign(turned)).toBe(side)
      // It rises on the other side as it came down.
      const expected = side > 0 ? timeTo(turned, from, friction > 0) : 2 * quarter - timeTo(-turned, from, friction > 0)
      expect(Math.abs(expected - sinceRest / 5 * quarter) / quarter).toBeLessThan(1e-7)
      expect(time).toBeCloseTo(k / 5 * quarter, 12)
    })
    expect(worst(run, ({ energy }) => energy.residual / energy.initial)).toBeLessThan(1e-9)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-9)
    // Without friction the centre stays above the same place, and the impulse stays finite: at most what turns the fall of the centre around.
    const crossings = run.events.filter(({ kind, message }) => kind === 'impact' && message.includes('zeroth order'))
    expect(crossings.length).toBeGreaterThan(0)
    for (const { approachSpeed, energyLoss } of crossings) expect([approachSpeed, energyLoss]).toEqual([0, 0])
    if (friction === 0) expect(Math.abs(bodyIn(run, 'pebble').position[0]!)).toBeLessThan(1e-12)
  })

  it('that rocks on a flat spot keeps its energy, or says why it stops', () => {
    for (const exponents of [[0.5, 0.5], [0.25, 1]]) {
      const run = recorded(sceneOf([floor, pebble(exponents, { orientation: turn([1, 0.3, 0], 0.05) })], 0.6, { duration: 0.5, outputRate: 20 }))
      expect(run.end.status === 'completed' || run.end.reason !== '').toBe(true)
      expect(worst(run, c => c.energy.residual)).toBeLessThan(1e-6)
      expect(worst(run, c => c.maxPenetration)).toBeLessThan(1e-9)
      expect(worst(run, c => c.maxComplementarity)).toBeLessThan(1e-10)
    }
  })

  it('that slides to rest on its flat spot rocks there and keeps its energy', () => {
    const run = recorded(sceneOf([floor, die], 0.3, { duration: 1, outputRate: 30 }))
    expect(run.end).toMatchObject({ status: 'completed', fallbacks: { count: 0 } })
    expect(worst(run, ({ energy }) => energy.residual / energy.initial)).toBeLessThan(1e-9)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-9)
    expect(worst(run, ({ maxConeViolation }) => maxConeViolation)).toBeLessThan(1e-9)
    // It has slid for v/μg; the remaining energy makes it rock.
    expect(Math.abs(bodyIn(run, 'die').linearVelocity[0]!)).toBeLessThan(0.05)
  })

  it('is continued by time-stepping on its flat spot if that is chosen, with an event', () => {    const run = recorded(sceneOf([floor, die], 0.3, { duration: 1, outputRate: 30, eventDriven: { flatSpots: 'time-stepping' } }))
    expect(run.end.status).toBe('completed')
    // Friction tips it off the flat spot at once; it then rocks across it and back until it is nearly at rest.
    const [jam] = run.events.filter(({ kind }) => kind === 'degraded')
    expect(jam!.time).toBeGreaterThan(1 / (0.3 * 9.81))
    expect(jam!.message).toMatch(/^at 0.36\d+ s the step became .* contact of "die" on "ground" \(surface 0 on face 0, curvature \S+ 1\/m\): on a flat spot/)
    expect(jam!.message).toMatch(/finished by time-stepping$/)
    expect(Number(/curvature (\S+)/.exec(jam!.message)![1])).toBeLessThan(1e-3)
    expect(run.end.fallbacks.count).toBeGreaterThan(0)
    const initial = run.certificates[0]!.energy.initial
    const before = run.certificates.filter(({ time }) => time < jam!.time)
    expect(Math.max(...before.map(({ energy }) => energy.residual))).toBeLessThan(1e-10 * initial)
    expect(worst(run, ({ energy }) => energy.residual)).toBeLessThan(1e-6 * initial)
    expect(worst(run, ({ maxPenetration }) => maxPenetration)).toBeLessThan(1e-9)
    expect(Math.abs(bodyIn(run, 'die').linearVelocity[0]!)).toBeLessThan(0.05)
    // Without friction nothing turns it.
    expect(recorded(sceneOf([floor, die], 0, { duration: 1, outputRate: 30 })).end.status).toBe('completed')
  })

  it('has the setting for flat spots in the event-driven method only: others refuse it with a typed error', () => {
    for (const method of ['time-stepping', 'penalty']) {
      const found = check(sceneOf([floor, die], 0.3, { method, eventDriven: { flatSpots: 'impulse' } })).problems
      expect(found.filter(({ severity }) => severity === 'error')).toEqual([expect.objectContaining({
        name: 'NotSupported', path: 'simulation.eventDriven.flatSpots', value: 'impulse', allowed: 'none, or the method event-driven',
      })])
    }
  })
})
