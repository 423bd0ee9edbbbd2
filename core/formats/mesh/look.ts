/** The appearance that a mesh file describes and that is not read, so that its loss can be reported. */

import { latin, meshEnding } from './mesh'

const MARKS = {
  obj: [[/^[ \t]*usemtl[ \t]/m, 'the materials of its MTL file']],
  dae: [[/<init_from\b/, 'its materials and textures'], [/<instance_material\b/, 'its materials']],
  gltf: [[/"(baseColorTexture|images)"/, 'its materials and textures'], [/"baseColorFactor"/, 'its materials']],
  glb: [[/"(baseColorTexture|images)"/, 'its materials and textures'], [/"baseColorFactor"/, 'its materials']],
  ply: [[/^property[ \t]+uchar[ \t]+red\b/m, 'the colours of its vertices']],
  stl: [],
} as const satisfies Readonly<Record<string, readonly (readonly [RegExp, string])[]>>

/** The appearance in a mesh file, in words; null if it has none. */
export function lookIn(fileName: string, content: Uint8Array | string): string | null {
  const ending = meshEnding(fileName)
  if (ending === null || MARKS[ending].length === 0) return null
  const text = typeof content === 'string' ? content : latin(content)
  return MARKS[ending].find(([mark]) => mark.test(text))?.[1] ?? null
}
