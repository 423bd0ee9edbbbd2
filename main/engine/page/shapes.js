import { cross, dot, sub, unit } from './data.js'

/** Faces that meet at less than this angle are one surface; at more, there is an edge. */
const SMOOTH = Math.cos(Math.PI / 5)

/** The surfaces of a run for drawing: corners with normals, smooth on smooth surfaces, and sharp edges. */
export function shapesOf(run) {
  let [firstVertex, firstIndex] = [0, 0]
  return run.surfaces.map(surface => {
    const points = Array.from({ length: surface.vertices }, (_, k) => [...run.vertices.subarray(3 * (firstVertex + k), 3 * (firstVertex + k) + 3)])
    const corners = run.indices.subarray(firstIndex, firstIndex + surface.indices)
    firstVertex += surface.vertices
    firstIndex += surface.indices
    return { ...surface, points, corners, ...shaded(points, corners) }
  })
}

function shaded(points, corners) {
  const faces = []
  const around = new Map()
  const name = point => point.map(x => Math.round(x * 1e6)).join()
  for (let k = 0; k < corners.length; k += 3) {
    const own = [corners[k], corners[k + 1], corners[k + 2]].map(i => points[i])
    const across = cross(sub(own[1], own[0]), sub(own[2], own[0]))
    const face = { own, across, normal: unit(across) }
    faces.push(face)
    for (const point of own) {
      const key = name(point)
      if (around.has(key)) around.get(key).push(face)
      else around.set(key, [face])
    }
  }
  const vertices = new Float32Array(faces.length * 18)
  const edges = new Map()
  faces.forEach(({ own, normal }, f) => {
    own.forEach((point, i) => {
      const sum = [0, 0, 0]
      for (const other of around.get(name(point))) if (dot(other.normal, normal) > SMOOTH) for (const k of [0, 1, 2]) sum[k] += other.across[k]
      vertices.set([...point, ...unit(sum)], 18 * f + 6 * i)
      const to = own[(i + 1) % 3]
      const key = [name(point), name(to)].sort().join(' ')
      if (edges.has(key)) edges.get(key).normals.push(normal)
      else edges.set(key, { from: point, to, normals: [normal] })
    })
  })
  const sharp = [...edges.values()].filter(({ normals }) => normals.length === 1 || normals.some(normal => dot(normal, normals[0]) < SMOOTH))
  return { vertices, edges: Float32Array.from(sharp.flatMap(({ from, to }) => [...from, ...to])) }
}
