/** STL, text and binary. STL has no shared vertices, so corners that agree up to rounding are merged. */

import type { Vec3 } from '../../math/vector'
import { finite, latin, MeshError, pointOf, requireCount, type Mesh } from './mesh'
import { weld } from './weld'

const HEADER = 84
const TRIANGLE = 50

/** @throws MeshError naming line or byte. */
export function readStl(bytes: Uint8Array): Mesh {
  // Binary files may begin with "solid" too; only their length is decisive.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = bytes.length >= HEADER ? view.getUint32(80, true) : -1
  if (count >= 0 && bytes.length === HEADER + count * TRIANGLE) {
    return readBinary(view, count)
  }
  if (latin(bytes, 0, 5) === 'solid') {
    return readText(latin(bytes))
  }
  throw new MeshError('STL', 'header', `neither text (no "solid") nor binary (${bytes.length} bytes do not fit ${count} triangles)`)
}

function readBinary(view: DataView, count: number): Mesh {
  requireCount('STL', 'byte 80', 'faces', count)
  const corners: Vec3[] = []
  for (let k = 0; k < count; k++) {
    for (let corner = 0; corner < 3; corner++) {
      const at = HEADER + k * TRIANGLE + 12 + 12 * corner
      corners.push(finite('STL', `byte ${at}`, [0, 4, 8].map(offset => view.getFloat32(at + offset, true))))
    }
  }
  return weld(corners)
}

function readText(text: string): Mesh {
  const corners: Vec3[] = []
  text.split(/\r?\n/).forEach((line, i) => {
    const words = line.trim().split(/\s+/)
    if (words[0] === 'vertex') {
      corners.push(pointOf('STL', `line ${i + 1}`, words.slice(1)))
      requireCount('STL', `line ${i + 1}`, 'faces', Math.ceil(corners.length / 3))
    }
  })
  if (corners.length === 0 || corners.length % 3 !== 0) {
    throw new MeshError('STL', 'end', `${corners.length} corners; a whole number of triangles is needed`)
  }
  return weld(corners)
}
