/** Mutations of bytes, and of the values of a document. */
import type { Random } from './random'

/** A copy with one to four bytes or stretches changed, dropped, doubled or cut off. */
export function mutatedBytes(r: Random, bytes: Uint8Array): Uint8Array {
  let out = Uint8Array.from(bytes)
  for (let n = 1 + r.index(4); n > 0 && out.length > 1; n--) {
    const at = r.index(out.length)
    const length = 1 + r.index(Math.min(64, out.length - at))
    switch (r.index(6)) {
      case 0: case 1: out[at]! ^= 1 << r.index(8); break
      case 2: out.set(Array.from({ length }, () => r.index(256)), at); break
      case 3: out = joined(out.subarray(0, at), out.subarray(at + length)); break
      case 4: out = joined(out.subarray(0, at + length), out.subarray(at)); break
      default: out = out.slice(0, at)
    }
  }
  return out
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(a.length + b.length)
  out.set(a)
  out.set(b, a.length)
  return out
}

const HOSTILE: readonly unknown[] = [
  null, true, '', 'x', '__proto__', [], {}, 0, -1, 0.5, 1e-300, 1e17, 1e300, -1e300, 5e-324, 4294967296, [1, 2, 3], [[[[]]]], 'b0', 'a'.repeat(300), { type: 'box' },
]

/** A deep copy with a few values replaced by hostile ones, dropped or doubled. */
export function mutatedValue(r: Random, value: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as object
  for (let n = 1 + r.index(3); n > 0; n--) {
    const places: [Record<string, unknown>, string][] = []
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      for (const key of Object.keys(node)) {
        places.push([node as Record<string, unknown>, key])
        collect((node as Record<string, unknown>)[key])
      }
    }
    collect(copy)
    if (places.length === 0) break
    const [node, key] = r.of(places)
    if (r.chance(0.15)) delete node[key]
    else if (r.chance(0.1)) node[`${key}x`] = node[key]
    else if (typeof node[key] === 'number' && r.chance(0.5)) node[key] *= r.of([-1, 0, 1e-12, 1e12, 1 + 1e-15])
    else node[key] = r.of(HOSTILE)
  }
  return copy
}
