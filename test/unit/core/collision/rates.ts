import { expect } from 'vitest'
import type { FeaturePair } from '../../../../core/collision/contact'
import { velocityAt, type BodyMotion } from '../../../../core/geometry/motion'
import { cross, distance, dot, length, scale, sub, type Vec3 } from '../../../../core/math/vector'
import { advance } from './random'

/** (f(h) − f(−h)) / 2h, improved to fourth order. */
function derivative(f: (t: number) => Vec3, h: number): Vec3 {
  const central = (step: number): Vec3 => scale(sub(f(step), f(-step)), 1 / (2 * step))
  return sub(scale(central(h), 4 / 3), scale(central(2 * h), 1 / 3))
}

/** ṗ, n̂̇, Ċ and C̈ against differences of p, n̂ and C of the same pair. */
export function checkRates(pair: FeaturePair, a: BodyMotion, b: BodyMotion, h = 2e-4, tolerance = 1e-7): void {
  const at = (t: number) => pair.locate(advance(a, t).pose, advance(b, t).pose)
  const here = at(0)
  const { pointRate, normalRate } = pair.rates(a, b)
  const speed = 1 + length(pointRate) + length(normalRate)
  expect(Math.abs(length(here.normal) - 1)).toBeLessThan(1e-14)
  expect(distance(pointRate, derivative(t => at(t).point, h))).toBeLessThan(tolerance * speed)
  expect(distance(normalRate, derivative(t => at(t).normal, h))).toBeLessThan(tolerance * speed)
  const relative = sub(velocityAt(a, here.point), velocityAt(b, here.point))
  const gapRate = dot(here.normal, relative)
  expect(Math.abs(gapRate - derivative(t => [at(t).gap, 0, 0], h)[0])).toBeLessThan(tolerance * speed)
  // C̈ with v̇ = 0 and α = 0, as defined in contact.ts.
  const change = (m: BodyMotion): Vec3 => cross(m.angularVelocity, sub(pointRate, m.velocity))
  const second = dot(here.normal, sub(change(a), change(b))) + dot(normalRate, relative)
  const rate = (t: number): number => {
    const [ma, mb] = [advance(a, t), advance(b, t)]
    const { point, normal } = pair.locate(ma.pose, mb.pose)
    return dot(normal, sub(velocityAt(ma, point), velocityAt(mb, point)))
  }
  expect(Math.abs(second - derivative(t => [rate(t), 0, 0], h)[0])).toBeLessThan(tolerance * speed * speed)
}
