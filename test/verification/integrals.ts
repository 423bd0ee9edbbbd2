/** Complete elliptic integral of the first kind and Jacobi's functions of modulus k, by the arithmetic–geometric mean; quadrature. */

export function completeK(k: number): number {
  let a = 1
  let b = Math.sqrt(1 - k * k)
  for (let i = 0; i < 8; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)]
  return Math.PI / (2 * a)
}

/** sn, cn, dn of u, 0 ≤ k < 1 [Abramowitz and Stegun 1964, §16.4]. */
export function jacobi(u: number, k: number): { sn: number; cn: number; dn: number } {
  const a = [1]
  const c = [k]
  let b = Math.sqrt(1 - k * k)
  // Quadratic: eight halvings of the exponent are beyond double precision for any k < 1 − 1e-12.
  while (Math.abs(c[c.length - 1]!) > 1e-17 && a.length < 9) {
    const last = a[a.length - 1]!
    a.push((last + b) / 2)
    c.push((last - b) / 2)
    b = Math.sqrt(last * b)
  }
  const n = a.length - 1
  let phi = 2 ** n * a[n]! * (u % (4 * completeK(k)))
  let before = phi
  for (let i = n; i > 0; i--) {
    before = phi
    phi = (phi + Math.asin((c[i]! / a[i]!) * Math.sin(phi))) / 2
  }
  const sn = Math.sin(phi)
  const cn = Math.cos(phi)
  return { sn, cn, dn: n > 0 && Math.abs(Math.cos(before - phi)) > 1e-3 ? cn / Math.cos(before - phi) : Math.sqrt(1 - k * k * sn * sn) }
}

/** ∫ f over [a, b] by Simpson's rule: for smooth f. */
export function integral(f: (x: number) => number, a: number, b: number): number {
  const n = 2000
  let sum = f(a) + f(b)
  for (let k = 1; k < n; k++) sum += (k % 2 === 1 ? 4 : 2) * f(a + (b - a) * k / n)
  return sum * (b - a) / (3 * n)
}
