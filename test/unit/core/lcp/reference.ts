/** Readers of the reference problems outside the repository; tests that need them are skipped if they are absent. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROW_FRICTION, ROW_UNILATERAL, type ContactProblem } from '../../../../core/lcp/problem'

export const REFERENCE = resolve(import.meta.dirname, '../../../../../shared/reference')

export function referenceFiles(folder: string, extension: string): string[] {
  const path = join(REFERENCE, folder)
  return existsSync(path) ? readdirSync(path).filter(name => name.endsWith(extension)).sort() : []
}

function numbers(path: string): number[] {
  const text = readFileSync(join(REFERENCE, path), 'utf8').replace(/#.*$/gm, '')
  return text.split(/\s+/).filter(word => word !== '').map(Number)
}

/** A dense (storage 0) or sparse block (storage 1) matrix at the head of `data`; returns it and what follows. */
function matrix(data: number[], storage: number): { A: Float64Array; n: number; rest: number[] } {
  if (storage === 0) {
    const n = data[0]!
    const A = Float64Array.from(data.slice(4, 4 + n * n))
    return { A, n, rest: data.slice(4 + n * n) }
  }
  let at = 0
  const next = (): number => data[at++]!
  const n = next()
  next() // columns
  const blocks = next()
  const blockRows = next()
  const blockColumns = next()
  const rowEnds = Array.from({ length: blockRows }, next)
  const columnEnds = Array.from({ length: blockColumns }, next)
  const filled1 = next()
  const filled2 = next()
  const index1 = Array.from({ length: filled1 }, next)
  const index2 = Array.from({ length: filled2 }, next)
  const A = new Float64Array(n * n)
  for (let row = 0; row < filled1 - 1; row++) {
    for (let k = index1[row]!; k < index1[row + 1]!; k++) {
      const column = index2[k]!
      const r0 = row === 0 ? 0 : rowEnds[row - 1]!
      const c0 = column === 0 ? 0 : columnEnds[column - 1]!
      if (next() !== k) throw new RangeError(`block ${k} out of order`)
      for (let j = c0; j < columnEnds[column]!; j++) for (let i = r0; i < rowEnds[row]!; i++) A[i * n + j] = next()
    }
  }
  if (blocks !== filled2) throw new RangeError('blocks missing')
  return { A, n, rest: data.slice(at) }
}

/** siconos/lcp: w = M z + q, row-major. */
export function readLcp(name: string): { n: number; M: Float64Array; q: Float64Array } {
  const [n, storage, ...data] = numbers(`siconos/lcp/${name}`)
  const { A, rest } = matrix(data, storage!)
  return { n: n!, M: A, q: Float64Array.from(rest.slice(0, n)) }
}

/** siconos/friction: u = M r + q with μ per contact; 2D problems get a second tangent that nothing couples to. */
export function readFriction(name: string): ContactProblem {
  const [dimension, contacts, storage, ...data] = numbers(`siconos/friction/${name}`)
  const { A, n, rest } = matrix(data, storage!)
  const q = rest.slice(0, n)
  const mu = rest.slice(n, n + contacts!)
  return frictionProblem(A, q, mu, dimension!, 0)
}

/** contactbench: g + G λ with tangents before the normal. */
export function readContactBench(name: string): ContactProblem {
  const { G, g, mus } = JSON.parse(readFileSync(join(REFERENCE, 'contactbench', name), 'utf8')) as {
    G: number[][]; g: number[]; mus: number[]
  }
  return frictionProblem(Float64Array.from(G.flat()), g.flat(), mus.flat(), 3, 2)
}

/** `normalAt`: place of the normal among a contact's components. */
export function frictionProblem(M: Float64Array, q: number[], mu: number[], dimension: number, normalAt: number): ContactProblem {
  const contacts = mu.length
  const n = 3 * contacts
  const from = (i: number): number => {
    const contact = Math.floor(i / 3)
    const part = i % 3
    if (part >= dimension) return -1
    const place = normalAt === 0 ? part : (part + normalAt) % 3
    return contact * dimension + place
  }
  const A = new Float64Array(n * n)
  const b = new Float64Array(n)
  const size = contacts * dimension
  for (let i = 0; i < n; i++) {
    const r = from(i)
    if (r < 0) {
      A[i * n + i] = 1
      continue
    }
    b[i] = -q[r]!
    for (let j = 0; j < n; j++) {
      const c = from(j)
      if (c >= 0) A[i * n + j] = (M[r * size + c]! + M[c * size + r]!) / 2
    }
  }
  return {
    size: n, A, b, kind: Uint8Array.from({ length: n }, (_, i) => i % 3 === 0 ? ROW_UNILATERAL : ROW_FRICTION),
    lower: new Float64Array(n), upper: new Float64Array(n), level: 'velocity',
    friction: mu.map((value, c) => ({
      normal: 3 * c, tangent1: 3 * c + 1, tangent2: 3 * c + 2, staticFriction: value, dynamicFriction: value, state: 'static' as const,
      slip1: 0, slip2: 0,
    })),
  }
}

/** ‖r − P_K(r − (u + μ‖u_T‖ n))‖ / max(‖q‖, ‖r‖, ‖u‖): the projected De Saxcé residual of the reference. */
export function deSaxceResidual(problem: ContactProblem, r: Float64Array, u: Float64Array): number {
  let error = 0
  let scale = 0
  const norm = (x: Float64Array): number => Math.sqrt(x.reduce((sum, value) => sum + value * value, 0))
  scale = Math.max(norm(problem.b), norm(r), norm(u))
  for (const { normal, tangent1, tangent2, staticFriction: mu } of problem.friction) {
    const ut = Math.hypot(u[tangent1]!, u[tangent2]!)
    const zn = r[normal]! - u[normal]! - mu * ut
    const z1 = r[tangent1]! - u[tangent1]!
    const z2 = r[tangent2]! - u[tangent2]!
    const size = Math.hypot(z1, z2)
    let p: [number, number, number] = [zn, z1, z2]
    if (mu * size <= -zn) p = [0, 0, 0]
    else if (size > mu * zn) {
      const fn = (zn + mu * size) / (1 + mu * mu)
      p = [fn, mu * fn * z1 / size, mu * fn * z2 / size]
    }
    error += (r[normal]! - p[0]) ** 2 + (r[tangent1]! - p[1]) ** 2 + (r[tangent2]! - p[2]) ** 2
  }
  return scale > 0 ? Math.sqrt(error) / scale : 0
}
