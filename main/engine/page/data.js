/** The run inside the page: its columns, and lookups by time. */

const KINDS = { Float64Array, Float32Array, Uint32Array, Uint16Array }

/** Unpacks the page's own data. */
export async function readRun() {
  const meta = JSON.parse(document.getElementById('meta').textContent)
  const packed = Uint8Array.from(atob(document.getElementById('data').textContent), letter => letter.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const buffer = await new Response(stream).arrayBuffer()
  const columns = Object.fromEntries(Object.entries(meta.sections).map(([name, { type, at, length }]) => [name, new KINDS[type](buffer, at, length)]))
  return { ...meta, ...columns }
}

/** Number of the last frame that is not after a time. */
export function frameAt(run, time) {
  let [low, high] = [0, run.time.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (run.time[middle] <= time + 1e-9) low = middle
    else high = middle - 1
  }
  return low
}

/** Position and orientation of a body, interpolated between two frames. Null before it exists. */
export function poseAt(run, body, time) {
  const k = frameAt(run, time)
  const next = Math.min(k + 1, run.time.length - 1)
  const span = run.time[next] - run.time[k]
  const s = span > 0 ? Math.min(1, Math.max(0, (time - run.time[k]) / span)) : 0
  const [a, b] = [k * run.count + body, next * run.count + body]
  if (Number.isNaN(run.position[3 * a])) return null
  const whole = s < 1e-6 || Number.isNaN(run.position[3 * b])
  const mixed = (column, size, i, sign) => whole ? column[size * a + i] : (1 - s) * column[size * a + i] + s * sign * column[size * b + i]
  let agreement = 0
  for (let i = 0; i < 4; i++) agreement += run.orientation[4 * a + i] * run.orientation[4 * b + i]
  const q = [0, 1, 2, 3].map(i => mixed(run.orientation, 4, i, agreement < 0 ? -1 : 1))
  const size = Math.hypot(...q)
  return { position: [0, 1, 2].map(i => mixed(run.position, 3, i, 1)), orientation: q.map(x => x / size) }
}

/** The contacts of a frame. */
export function contactsOf(run, frame) {
  const found = []
  for (let c = run.starts[frame]; c < run.starts[frame + 1]; c++) {
    const at = c * run.contactFloats
    const [a, b, mode] = run.ids.subarray(c * run.contactIds, (c + 1) * run.contactIds)
    const number = i => run.contacts[at + i]
    found.push({
      a, b, mode: run.modes[mode], point: [number(0), number(1), number(2)], force: [number(3), number(4), number(5)],
      normalForce: number(6), friction: number(7), usage: number(8), gap: number(9),
    })
  }
  return found
}

/** A vector rotated by a unit quaternion [x, y, z, w]. */
export function rotate([x, y, z, w], [a, b, c]) {
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx]
}

export const add = (a, b) => a.map((x, k) => x + b[k])
export const sub = (a, b) => a.map((x, k) => x - b[k])
export const scaled = (a, s) => a.map(x => x * s)
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
export const unit = a => scaled(a, 1 / (Math.hypot(...a) || 1))
