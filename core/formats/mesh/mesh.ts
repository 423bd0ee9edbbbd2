/** Triangle and polygon meshes from untrusted files: with limits and line numbers, without guessing. */

import type { Mesh } from '../../geometry/mesh'
import type { Vec3 } from '../../math/vector'

export type { Mesh }

/** Extensions of readable mesh files, without the dot. */
export const MESH_FILES = ['obj', 'stl', 'ply', 'gltf', 'glb', 'dae'] as const
export type MeshEnding = (typeof MESH_FILES)[number]

export function meshEnding(fileName: string): MeshEnding | null {
  const ending = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  return MESH_FILES.find(known => known === ending) ?? null
}

/** Whether a file's extension is that of a mesh. */
export function isMeshFile(fileName: string): boolean {
  return meshEnding(fileName) !== null
}

export const MAX_MESH_VERTICES = 1_000_000
export const MAX_MESH_FACES = 1_000_000

/** A mesh file that cannot be read. The message gives the place (line of a text file, byte of a binary one) and what is allowed. */
export class MeshError extends Error {
  override readonly name = 'MeshError'

  constructor(readonly format: string, readonly where: string, message: string) {
    super(`${format}, ${where}: ${message}`)
  }
}

export function requireCount(format: string, where: string, what: 'vertices' | 'faces', count: number): void {
  const most = what === 'vertices' ? MAX_MESH_VERTICES : MAX_MESH_FACES
  if (!Number.isInteger(count) || count < 0 || count > most) {
    throw new MeshError(format, where, `${count} ${what}; at most ${most} are allowed`)
  }
}

export function finite(format: string, where: string, values: readonly number[]): Vec3 {
  if (values.length < 3 || !values.slice(0, 3).every(Number.isFinite)) {
    throw new MeshError(format, where, `(${values.slice(0, 3).join(', ')}) is not a point; three finite numbers are needed`)
  }
  return [values[0]!, values[1]!, values[2]!]
}

/** The point that three words of a text file are. */
export function pointOf(format: string, where: string, words: readonly string[]): Vec3 {
  const values = words.slice(0, 3).map(Number)
  if (values.length < 3 || !values.every(Number.isFinite)) {
    throw new MeshError(format, where, `"${words.slice(0, 3).join(' ').slice(0, SHOWN)}" is not a point; three finite numbers are needed`)
  }
  return [values[0]!, values[1]!, values[2]!]
}

/** Characters of a file that a message repeats. */
const SHOWN = 80

/** One character a byte. */
export function latin(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = ''
  for (let i = from; i < to; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, Math.min(to, i + 8192)))
  }
  return text
}
