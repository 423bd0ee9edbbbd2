/** Contact problems of bodies: boxes with contact points, joints and motors, assembled as A = J M⁻¹ Jᵀ. */

import {
  ROW_BOX, ROW_EQUALITY, ROW_FRICTION, ROW_SPIN, ROW_UNILATERAL, type ContactProblem, type FrictionRows, type SpinRows,
} from '../../../../core/lcp/problem'

type V = readonly [number, number, number]

export interface Body {
  readonly mass: number
  readonly inertia: V
  readonly position: V
  /** Acceleration (or velocity) that the body would have without contact: linear and angular. */
  readonly free: readonly [number, number, number, number, number, number]
}

export interface Touch {
  /** Indices of bodies; −1 is the ground. The normal points from b to a. */
  readonly a: number
  readonly b: number
  readonly point: V
  readonly normal: V
  readonly mu: number
  readonly muDynamic?: number
  /** Direction of slip in space: the contact is sliding. */
  readonly slip?: V
  /** Angle by which the tangents are turned about the normal, rad. */
  readonly turn?: number
  readonly frictionless?: boolean
  /** Torsional and rolling friction, m; the direction of rotation in space makes them slide. */
  readonly torsional?: number
  readonly rolling?: number
  readonly rotation?: V
}

export interface Link {
  readonly a: number
  readonly b: number
  readonly point: V
  readonly axis: V
  readonly bounds?: readonly [number, number]
}

export const cross = (u: V, v: V): V => [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
export const dot3 = (u: V, v: V): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
export const minus = (u: V, v: V): V => [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
export const unit = (u: V): V => {
  const l = Math.hypot(...u)
  return [u[0] / l, u[1] / l, u[2] / l]
}

/** Two unit tangents of a normal. */
export function tangents(n: V, turn = 0): [V, V] {
  const seed: V = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]
  const u = unit(cross(n, seed))
  const v = cross(n, u)
  const c = Math.cos(turn)
  const s = Math.sin(turn)
  return [[c * u[0] + s * v[0], c * u[1] + s * v[1], c * u[2] + s * v[2]], [c * v[0] - s * u[0], c * v[1] - s * u[1], c * v[2] - s * u[2]]]
}

export function assemble(
  bodies: readonly Body[], touches: readonly Touch[], links: readonly Link[] = [], level: 'acceleration' | 'velocity' = 'acceleration',
): ContactProblem {
  const rows: { jacobian: Float64Array; kind: number; lower: number; upper: number }[] = []
  const friction: FrictionRows[] = []
  const row = (a: number, b: number, point: V, axis: V): Float64Array => {
    const j = new Float64Array(6 * bodies.length)
    for (const [body, sign] of [[a, 1], [b, -1]] as const) {
      if (body < 0) continue
      const arm = cross(minus(point, bodies[body]!.position), axis)
      for (let k = 0; k < 3; k++) {
        j[6 * body + k]! += sign * axis[k]!
        j[6 * body + 3 + k]! += sign * arm[k]!
      }
    }
    return j
  }
  for (const { a, b, point, axis, bounds } of links) {
    rows.push({
      jacobian: row(a, b, point, axis), kind: bounds ? ROW_BOX : ROW_EQUALITY, lower: bounds?.[0] ?? 0, upper: bounds?.[1] ?? 0,
    })
  }
  const spin: SpinRows[] = []
  const rotation = (a: number, b: number, axis: V): Float64Array => {
    const j = new Float64Array(6 * bodies.length)
    for (const [body, sign] of [[a, 1], [b, -1]] as const) if (body >= 0) for (let k = 0; k < 3; k++) j[6 * body + 3 + k] = sign * axis[k]!
    return j
  }
  for (const touch of touches) {
    const { a, b, point, normal, mu, muDynamic, slip, turn, frictionless } = touch
    const at = rows.length
    rows.push({ jacobian: row(a, b, point, normal), kind: ROW_UNILATERAL, lower: 0, upper: 0 })
    for (const [limit, axes] of [[touch.torsional ?? 0, [normal]], [touch.rolling ?? 0, tangents(normal, turn)]] as const) {
      if (limit === 0) continue
      const seen = axes.map(axis => touch.rotation ? dot3(touch.rotation, axis) : 0)
      const size = Math.hypot(...seen)
      spin.push({ normal: at, rows: axes.map((_, k) => rows.length + k), limit, state: size > 0 ? 'sliding' : 'static', slip: seen.map(x => size > 0 ? x / size : 0) })
      for (const axis of axes) rows.push({ jacobian: rotation(a, b, axis), kind: ROW_SPIN, lower: 0, upper: 0 })
    }
    if (frictionless) continue
    const [t1, t2] = tangents(normal, turn)
    for (const t of [t1, t2]) rows.push({ jacobian: row(a, b, point, t), kind: ROW_FRICTION, lower: 0, upper: 0 })
    friction.push({
      normal: at, tangent1: rows.length - 2, tangent2: rows.length - 1, staticFriction: mu, dynamicFriction: muDynamic ?? mu,
      state: slip ? 'sliding' : 'static', slip1: slip ? dot3(slip, t1) : 0, slip2: slip ? dot3(slip, t2) : 0,
    })
  }
  const n = rows.length
  const A = new Float64Array(n * n)
  const b = new Float64Array(n)
  const weighted = rows.map(({ jacobian }) => jacobian.map((value, k) => {
    const { mass, inertia } = bodies[Math.floor(k / 6)]!
    return value / (k % 6 < 3 ? mass : inertia[k % 3]!)
  }))
  const support = rows.map(({ jacobian }) => [...jacobian.keys()].filter(k => jacobian[k] !== 0))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let s = 0
      for (const k of support[i]!) s += rows[i]!.jacobian[k]! * weighted[j]![k]!
      A[i * n + j] = s
      A[j * n + i] = s
    }
    for (const k of support[i]!) b[i]! -= rows[i]!.jacobian[k]! * bodies[Math.floor(k / 6)]!.free[k % 6]!
  }
  return {
    size: n, A, b, kind: Uint8Array.from(rows, r => r.kind), lower: Float64Array.from(rows, r => r.lower),
    upper: Float64Array.from(rows, r => r.upper), friction, ...(spin.length > 0 ? { spin } : {}), level,
  }
}

/** A box of the given size and mass at a height, falling freely with gravity `g` and perhaps pushed. */
export function box(position: V, size: V, mass: number, g: V = [0, 0, -9.81], spin: V = [0, 0, 0]): Body {
  const [x, y, z] = size.map(s => s * s) as [number, number, number]
  return {
    mass, position, inertia: [mass * (y + z) / 12, mass * (x + z) / 12, mass * (x + y) / 12], free: [g[0], g[1], g[2], spin[0], spin[1], spin[2]],
  }
}

/** The four corners of a horizontal rectangle. */
export function corners(centre: V, x: number, y: number): V[] {
  return [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([i, j]) => [centre[0] + i! * x / 2, centre[1] + j! * y / 2, centre[2]] as V)
}

/** A small seeded generator (mulberry32), uniform in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface StackOptions {
  readonly count: number
  readonly mu?: number
  readonly muDynamic?: number
  readonly frictionless?: boolean
  readonly masses?: readonly number[]
  /** Tilt of gravity, rad. */
  readonly tilt?: number
  readonly turn?: number
  readonly level?: 'acceleration' | 'velocity'
}

/** Unit cubes standing on one another, four contacts at each face, gravity tilted as on an incline. */
export function stack({ count, mu = 0.5, muDynamic, frictionless, masses, tilt = 0, turn, level }: StackOptions): ContactProblem {
  const g: V = [9.81 * Math.sin(tilt), 0, -9.81 * Math.cos(tilt)]
  const bodies: Body[] = []
  const touches: Touch[] = []
  for (let k = 0; k < count; k++) {
    bodies.push(box([0, 0, k + 0.5], [1, 1, 1], masses?.[k] ?? 1, g))
    for (const point of corners([0, 0, k], 1, 1)) touches.push({ a: k, b: k - 1, point, normal: [0, 0, 1], mu, muDynamic, frictionless, turn })
  }
  return assemble(bodies, touches, [], level)
}

/** Cubes in a triangular wall: `rows` at the bottom. Faces overlap by half. */
export function pyramid(rows: number, mu = 0.5, tilt = 0): ContactProblem {
  const g: V = [9.81 * Math.sin(tilt), 0, -9.81 * Math.cos(tilt)]
  const bodies: Body[] = []
  const touches: Touch[] = []
  const index = new Map<string, number>()
  for (let level = 0; level < rows; level++) {
    for (let k = 0; k < rows - level; k++) {
      const x = k + level / 2
      const at = bodies.length
      index.set(`${level},${k}`, at)
      bodies.push(box([x, 0, level + 0.5], [1, 1, 1], 1, g))
      if (level === 0) for (const point of corners([x, 0, 0], 1, 1)) touches.push({ a: at, b: -1, point, normal: [0, 0, 1], mu })
      else {
        for (const [below, centre] of [[k, x - 0.25], [k + 1, x + 0.25]] as const) {
          const b = index.get(`${level - 1},${below}`)!
          for (const point of corners([centre, 0, level], 0.5, 1)) touches.push({ a: at, b, point, normal: [0, 0, 1], mu })
        }
      }
    }
  }
  return assemble(bodies, touches)
}

/** A random heap: stacks, leaning contacts, joints, motors, sliding contacts, uneven masses; `spins`: torsional and rolling friction. */
export function randomProblem(seed: number, level: 'acceleration' | 'velocity', most: number, spins = false): ContactProblem {
  const random = seeded(seed)
  const between = (a: number, b: number): number => a + (b - a) * random()
  const pick = (n: number): number => Math.floor(random() * n)
  const count = 1 + pick(Math.max(1, Math.floor(most / 14)))
  const mu = random() < 0.1 ? 0 : between(0.1, 1)
  const muDynamic = level === 'acceleration' && random() < 0.5 ? mu * between(0.5, 1) : mu
  const heavy = random() < 0.2
  const bodies: Body[] = []
  const touches: Touch[] = []
  const links: Link[] = []
  let rows = 0
  for (let k = 0; k < count && rows < most; k++) {
    const size: V = [between(0.3, 2), between(0.3, 2), between(0.3, 2)]
    const ground = k === 0 || random() < 0.25
    const below = ground ? -1 : pick(k)
    const base = ground ? 0 : bodies[below]!.position[2] + 1
    const position: V = [between(-2, 2), between(-2, 2), base + size[2] / 2]
    const push: V = random() < 0.5 ? [between(-6, 6), between(-6, 6), -9.81] : [0, 0, -9.81]
    const spin: V = random() < 0.3 ? [between(-5, 5), between(-5, 5), between(-5, 5)] : [0, 0, 0]
    bodies.push(box(position, size, heavy && random() < 0.3 ? 1000 : between(0.2, 5), push, spin))
    const style = random()
    const extra = { mu, muDynamic, turn: between(0, 6), frictionless: random() < 0.1 }
    const normal: V = style < 0.6 ? [0, 0, 1] : unit([between(-1, 1), between(-1, 1), between(0.3, 1)])
    const sliding = random() < 0.15 && level === 'acceleration'
    const slip = sliding ? tangents(normal, between(0, 6))[0] : undefined
    const points = style < 0.6 ? corners([position[0], position[1], base], size[0], size[1]).slice(0, 2 + pick(3)) : [
      [position[0] + between(-0.5, 0.5), position[1] + between(-0.5, 0.5), base] as V,
    ]
    for (const point of points) {
      if (rows + 3 > most) break
      touches.push({ a: k, b: below, point, normal, slip, ...extra, mu: sliding ? Math.min(mu, 0.3) : mu, muDynamic: sliding ? Math.min(muDynamic, 0.3) : muDynamic })
      rows += extra.frictionless ? 1 : 3
    }
    if (k > 0 && random() < 0.2 && rows + 3 <= most) {
      const axes: V[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
      const a = pick(k)
      for (const axis of axes) links.push({ a: k, b: a, point: position, axis })
      rows += 3
      if (random() < 0.5) {
        links.push({ a: k, b: a, point: [position[0] + 1, position[1], position[2]], axis: [0, 0, 1], bounds: [-between(0, 5), between(0, 5)] })
        rows++
      }
    }
    if (k > 1 && random() < 0.4) {
      const a = pick(k)
      const side = unit([between(-1, 1), between(-1, 1), between(-0.3, 0.3)])
      const point: V = [(position[0] + bodies[a]!.position[0]) / 2, (position[1] + bodies[a]!.position[1]) / 2, base]
      touches.push({ a: k, b: a, point, normal: side, mu, muDynamic })
      rows += 3
    }
  }
  if (!spins) return assemble(bodies, touches, links, level)
  return assemble(bodies, touches.map(touch => ({
    ...touch, torsional: random() < 0.7 ? between(0.01, 0.2) : 0, rolling: random() < 0.7 ? between(0.01, 0.2) : 0,
    ...(level === 'acceleration' && random() < 0.3 ? { rotation: [between(-1, 1), between(-1, 1), between(-1, 1)] as const } : {}),
  })), links, level)
}
