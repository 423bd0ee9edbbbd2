import type { Bounds, MassProperties } from '../../../../core/geometry/shape'

/** Mass properties by adding up thin columns along z: `column(x, y)` gives the ends of the solid's stretch there. Knows nothing of closed forms. */
export function quadrature(bounds: Bounds, column: (x: number, y: number) => readonly [number, number] | null, n: number): MassProperties {
  const [hx, hy] = [0, 1].map(axis => (bounds.max[axis]! - bounds.min[axis]!) / n) as [number, number]
  const sum = { v: 0, x: 0, y: 0, z: 0, xx: 0, yy: 0, zz: 0, xy: 0, yz: 0, zx: 0 }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const x = bounds.min[0] + (i + 0.5) * hx
      const y = bounds.min[1] + (j + 0.5) * hy
      const ends = column(x, y)
      if (ends === null) {
        continue
      }
      const [low, high] = ends
      const length = (high - low) * hx * hy
      const z = (low + high) / 2
      sum.v += length
      sum.x += length * x
      sum.y += length * y
      sum.z += length * z
      sum.xx += length * x * x
      sum.yy += length * y * y
      sum.zz += length * (low * low + low * high + high * high) / 3
      sum.xy += length * x * y
      sum.yz += length * y * z
      sum.zx += length * z * x
    }
  }
  const [x, y, z] = [sum.x / sum.v, sum.y / sum.v, sum.z / sum.v]
  const [xx, yy, zz] = [sum.xx - sum.v * x * x, sum.yy - sum.v * y * y, sum.zz - sum.v * z * z]
  const [xy, yz, zx] = [sum.xy - sum.v * x * y, sum.yz - sum.v * y * z, sum.zx - sum.v * z * x]
  return { volume: sum.v, centroid: [x, y, z], inertia: [yy + zz, -xy, -zx, -xy, xx + zz, -yz, -zx, -yz, xx + yy] }
}
