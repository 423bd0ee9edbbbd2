/**
 * Zero of a continuous function without a known derivative, by Brent's method [R. Brent, Algorithms for Minimization without Derivatives, ch. 4]:
 * inverse quadratic interpolation and secants, never much slower than bisection. (`core/collision/root` uses rates if they are known.)
 *
 * Accurate to the last bits of the argument. The result is at or behind the zero: the function there has the sign of `f1` or is zero, so the event
 * has occurred.
 *
 * @param t0 one end, with f0 = f(t0)
 * @param t1 the other, with f1 = f(t1) of the other sign
 */
export function bracketedRoot(f: (t: number) => number, t0: number, f0: number, t1: number, f1: number): number {
  if (f0 === 0) return t0
  // b is the best guess, [b, c] the bracket, a the guess before b.
  let a = t0
  let fa = f0
  let b = t1
  let fb = f1
  let c = t0
  let fc = f0
  let step = b - a
  let before = step
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    if (fb > 0 === fc > 0) {
      c = a
      fc = fa
      step = before = b - a
    }
    if (Math.abs(fc) < Math.abs(fb)) {
      a = b
      b = c
      c = a
      fa = fb
      fb = fc
      fc = fa
    }
    const tolerance = 2 * Number.EPSILON * Math.abs(b)
    const half = (c - b) / 2
    if (Math.abs(half) <= tolerance || fb === 0) break
    if (Math.abs(before) >= tolerance && Math.abs(fa) > Math.abs(fb)) {
      const s = fb / fa
      let p: number
      let q: number
      if (a === c) {
        p = 2 * half * s
        q = 1 - s
      } else {
        const u = fa / fc
        const r = fb / fc
        p = s * (2 * half * u * (u - r) - (b - a) * (r - 1))
        q = (u - 1) * (r - 1) * (s - 1)
      }
      if (p > 0) q = -q
      p = Math.abs(p)
      if (2 * p < Math.min(3 * half * q - Math.abs(tolerance * q), Math.abs(before * q))) {
        before = step
        step = p / q
      } else {
        step = before = half
      }
    } else {
      step = before = half
    }
    a = b
    fa = fb
    b += Math.abs(step) > tolerance ? step : half > 0 ? tolerance : -tolerance
    fb = f(b)
  }
  return fb === 0 || fb > 0 === f1 > 0 ? b : c
}

const MAX_ITERATIONS = 100
