import { frameAt, sub, cross, unit } from './data.js'

/** Sides of a tube. */
const SIDES = 6

/** Positions of all particles at a time, 3 each; linear interpolation between two frames. */
export function particlesAt(run, time) {
  const k = frameAt(run, time)
  const next = Math.min(k + 1, run.time.length - 1)
  const span = run.time[next] - run.time[k]
  const s = span > 0 ? Math.min(1, Math.max(0, (time - run.time[k]) / span)) : 0
  const size = 3 * run.particles
  const from = run.particle.subarray(k * size, (k + 1) * size)
  if (s < 1e-6) return from
  const to = run.particle.subarray(next * size, (next + 1) * size)
  return from.map((x, i) => (1 - s) * x + s * to[i])
}

/** Sheets, tubes and balls, each with its particles; for a sheet also the corners of its triangles. */
export function partsOf(run) {
  let [firstParticle, firstCorner] = [0, 0]
  return run.parts.map(part => {
    const particles = run.partParticles.subarray(firstParticle, firstParticle += part.particles)
    const corners = run.partCorners.subarray(firstCorner, firstCorner += part.corners)
    return { ...part, body: run.count + part.deformable, particles, corners }
  })
}

/** The particles of a deformable: the first one and their number. */
export function vertexRange(run, deformable) {
  const own = partsOf(run).filter(part => part.deformable === deformable).flatMap(({ particles }) => [...particles])
  const first = own.reduce((least, i) => Math.min(least, i), Infinity)
  return { first, count: own.reduce((most, i) => Math.max(most, i), -1) - first + 1 }
}

/** Triangles of a part at the positions of its particles: point and normal of every corner, 18 numbers a triangle. */
export function surfaceAt(part, x) {
  const at = i => [x[3 * i], x[3 * i + 1], x[3 * i + 2]]
  const points = Array.from(part.particles, at)
  if (part.kind === 'sheet') return sheet(points, part.corners)
  return part.kind === 'tube' ? tube(points, part.radius) : ball(points[0], part.radius)
}

function sheet(points, corners) {
  // Weighted by area: large triangles count more in the mean at a corner.
  const normals = points.map(() => [0, 0, 0])
  for (let t = 0; t < corners.length; t += 3) {
    const [a, b, c] = [corners[t], corners[t + 1], corners[t + 2]]
    const across = cross(sub(points[b], points[a]), sub(points[c], points[a]))
    for (const i of [a, b, c]) for (let k = 0; k < 3; k++) normals[i][k] += across[k]
  }
  return triangles(corners, i => points[i], i => unit(normals[i]))
}

function tube(points, radius) {
  const [places, normals, corners] = [[], [], []]
  let side = null
  points.forEach((point, i) => {
    const along = unit(sub(points[Math.min(points.length - 1, i + 1)], points[Math.max(0, i - 1)]))
    const sizes = along.map(Math.abs)
    // The projection of the last ring's direction onto the present plane avoids twist of the tube.
    side ??= [0, 1, 2].map(k => k === sizes.indexOf(Math.min(...sizes)) ? 1 : 0)
    side = unit(cross(cross(along, side), along))
    const across = cross(along, side)
    for (let s = 0; s < SIDES; s++) {
      const [c, w] = [Math.cos(2 * Math.PI * s / SIDES), Math.sin(2 * Math.PI * s / SIDES)]
      const normal = [0, 1, 2].map(k => c * side[k] + w * across[k])
      normals.push(normal)
      places.push(point.map((p, k) => p + radius * normal[k]))
      const [a, b] = [i * SIDES + s, i * SIDES + (s + 1) % SIDES]
      if (i + 1 < points.length) corners.push(a, b, b + SIDES, a, b + SIDES, a + SIDES)
    }
  })
  return triangles(corners, i => places[i], i => normals[i])
}

/** Eight bulged triangles, each cut into four. */
function ball(center, radius) {
  const corners = []
  const half = (a, b) => unit(a.map((p, k) => p + b[k]))
  for (const x of [1, -1]) for (const y of [1, -1]) for (const z of [1, -1]) {
    const [a, b, c] = [[x, 0, 0], [0, y, 0], [0, 0, z]]
    const [ab, bc, ca] = [half(a, b), half(b, c), half(c, a)]
    corners.push(a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca)
  }
  return triangles(corners.keys(), i => corners[i].map((n, k) => center[k] + radius * n), i => corners[i])
}

function triangles(corners, point, normal) {
  const values = []
  for (const i of corners) values.push(...point(i), ...normal(i))
  return Float32Array.from(values)
}
