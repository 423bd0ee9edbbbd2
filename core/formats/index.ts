/** Exchange formats by their name on the command line. A new one is a folder and a line here. */

import type { Exporter } from './format'
import { mjcf } from './mjcf'

export type { Exporter, ExportFile, ExportResult, Loss } from './format'

export const exporters: readonly Exporter[] = [mjcf]

export function exporterById(id: string): Exporter | null {
  return exporters.find(exporter => exporter.id === id) ?? null
}
