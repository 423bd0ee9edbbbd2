/**
 * Drag and wind on particles. With u = v − velocity of the air and s the particle's share of the deformable's mass, F = −w s (linear + quadratic |u|)
 * u.
 *
 * On a sheet only the normal component of the wind acts: with n̂ the normal of a triangle, s its share of the sheet's rest area and u the mean
 * velocity of its corners, F = −w s (linear + quadratic |u·n̂|) (u·n̂) n̂, a third of it at each corner. A flat sheet across the wind thus gets the
 * same force as a body with these coefficients.
 */

import type { Deformable, Deformables } from '../../deformable'
import type { DragSpec } from '../drag'
import { boxWeight, type WindSpec } from '../wind'
import { rangesOf, type ParticleForce } from './particle-force'

type Air = Pick<WindSpec, 'linear' | 'quadratic' | 'velocity' | 'box' | 'falloff'>

/** Resistance of air at rest. @param on indices of deformables */
export function dragOnParticles({ linear, quadratic }: DragSpec, deformables: Deformables, on: readonly number[]): ParticleForce {
  const air: Air = { linear, quadratic, velocity: [0, 0, 0], falloff: 0 }
  return { account: 'drag', addForces: onShares(air, deformables, on) }
}

/** Wind; on sheets its normal component only. @param on indices of deformables */
export function windOnParticles(air: WindSpec, deformables: Deformables, on: readonly number[]): ParticleForce {
  const sheets = on.filter(index => deformables.list[index]!.sheet !== null)
  const others = onShares(air, deformables, on.filter(index => deformables.list[index]!.sheet === null))
  const onSheets = sheets.map(index => onTriangles(air, deformables.list[index]!))
  return {
    account: 'drag',
    addForces(t, x, v, f) {
      others(t, x, v, f)
      for (const sheet of onSheets) sheet(t, x, v, f)
    },
  }
}

function onShares({ linear, quadratic, velocity: [wx, wy, wz], box, falloff }: Air, deformables: Deformables,
  on: readonly number[]): ParticleForce['addForces'] {
  const ranges = rangesOf(deformables, on)
  return (_t, x, v, f) => {
    for (const { first, end, total } of ranges) {
      for (let i = first; i < end; i++) {
        const weight = box === undefined ? 1 : boxWeight([x[3 * i]!, x[3 * i + 1]!, x[3 * i + 2]!], box.min, box.max, falloff)
        if (weight === 0) continue
        const ux = v[3 * i]! - wx
        const uy = v[3 * i + 1]! - wy
        const uz = v[3 * i + 2]! - wz
        const c = -weight * deformables.mass[i]! / total * (linear + quadratic * Math.sqrt(ux * ux + uy * uy + uz * uz))
        f[3 * i] = f[3 * i]! + c * ux
        f[3 * i + 1] = f[3 * i + 1]! + c * uy
        f[3 * i + 2] = f[3 * i + 2]! + c * uz
      }
    }
  }
}

function onTriangles({ linear, quadratic, velocity: [wx, wy, wz], box, falloff }: Air, { sheet }: Deformable): ParticleForce['addForces'] {
  const { triangles, restUV } = sheet!
  const shares = Float64Array.from({ length: triangles.length / 3 }, (_, t) => {
    const [u0, v0, u1, v1, u2, v2] = restUV.subarray(6 * t, 6 * t + 6) as unknown as [number, number, number, number, number, number]
    return Math.abs((u1 - u0) * (v2 - v0) - (u2 - u0) * (v1 - v0))
  })
  const sum = shares.reduce((total, share) => total + share, 0)
  return (_t, x, v, f) => {
    for (let t = 0; t < shares.length; t++) {
      const a = 3 * triangles[3 * t]!
      const b = 3 * triangles[3 * t + 1]!
      const c = 3 * triangles[3 * t + 2]!
      const weight = box === undefined ? 1 : boxWeight(
        [(x[a]! + x[b]! + x[c]!) / 3, (x[a + 1]! + x[b + 1]! + x[c + 1]!) / 3, (x[a + 2]! + x[b + 2]! + x[c + 2]!) / 3], box.min, box.max, falloff)
      if (weight === 0) continue
      const px = x[b]! - x[a]!
      const py = x[b + 1]! - x[a + 1]!
      const pz = x[b + 2]! - x[a + 2]!
      const qx = x[c]! - x[a]!
      const qy = x[c + 1]! - x[a + 1]!
      const qz = x[c + 2]! - x[a + 2]!
      const nx = py * qz - pz * qy
      const ny = pz * qx - px * qz
      const nz = px * qy - py * qx
      const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
      if (size === 0) continue
      const ux = (v[a]! + v[b]! + v[c]!) / 3 - wx
      const uy = (v[a + 1]! + v[b + 1]! + v[c + 1]!) / 3 - wy
      const uz = (v[a + 2]! + v[b + 2]! + v[c + 2]!) / 3 - wz
      const across = (ux * nx + uy * ny + uz * nz) / size
      const third = -weight * shares[t]! / sum * (linear + quadratic * Math.abs(across)) * across / size / 3
      for (let k = 3 * t; k < 3 * t + 3; k++) {
        const at = 3 * triangles[k]!
        f[at] = f[at]! + third * nx
        f[at + 1] = f[at + 1]! + third * ny
        f[at + 2] = f[at + 2]! + third * nz
      }
    }
  }
}
