/** glTF 2.0 with rigid bodies: reads and writes KHR_physics_rigid_bodies and KHR_implicit_shapes, and reads the OMI_physics extensions. */

import type { Format, FormatFile } from '../format'
import { decodeUtf8 } from '../shared/utf8'
import { isGlb } from './container'
import { filmGltf } from './film'
import { importGltf, importOptions } from './read'
import { exportGltf, exportOptions } from './write'

export const gltf: Format = {
  id: 'gltf', label: 'glTF (KHR_physics_rigid_bodies)',
  exporter: { extension: '.glb', options: exportOptions, run: exportGltf },
  importer: { extensions: ['.glb', '.gltf'], recognises, options: importOptions, run: importGltf },
  motion: { extension: '.glb', options: exportOptions, run: filmGltf },
}

/** Bytes at the beginning of a file searched for extension names. */
const SEARCHED_BYTES = 16 * 1024 * 1024

/** Only files with physics extensions; other glTF files are meshes. */
function recognises({ name, content }: FormatFile): boolean {
  if (!/\.gl(tf|b)$/i.test(name) && !(typeof content !== 'string' && isGlb(content))) return false
  const text = typeof content === 'string' ? content : decodeUtf8(content.subarray(0, SEARCHED_BYTES))
  return /"(KHR_physics_rigid_bodies|OMI_physics_(body|shape|joint))"/.test(text)
}
