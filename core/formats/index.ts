/** Exchange formats by their name on the command line. A new format is a folder and a line here. */

import type { Exporter, Format, FormatFile, Importer, MotionExporter } from './format'
import { gltf } from './gltf'
import { mjcf } from './mjcf'
import { sdf } from './sdf'
import { obj, stl } from './surfaces'
import { urdf } from './urdf'
import { usd } from './usd'

export type * from './format'
export type { TrajectoryFrame } from './motion'
export { completeOptions } from './shared/options'
export { FormatError } from './shared/error'
export { exported } from './present'

/** Order of menus, and of recognition by importers. */
export const formats: readonly Format[] = [mjcf, urdf, sdf, gltf, usd, obj, stl]

export const exportFormats = formats.filter((format): format is Format & { readonly exporter: Exporter } => format.exporter !== null)
export const importFormats = formats.filter((format): format is Format & { readonly importer: Importer } => format.importer !== null)
export const motionFormats = formats.filter((format): format is Format & { readonly motion: MotionExporter } => format.motion !== null)

export function formatById(id: string): Format | null {
  return formats.find(format => format.id === id) ?? null
}

/** The first format that recognises the file; null if there is none. */
export function recogniseFormat(file: FormatFile): (Format & { readonly importer: Importer }) | null {
  return importFormats.find(format => format.importer.recognises(file)) ?? null
}
