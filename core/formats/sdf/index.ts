/** SDFormat, the scene format of Gazebo and Drake: writes 1.12, reads every 1.x. */

import type { Format, FormatFile } from '../format'
import { decodeUtf8 } from '../shared/utf8'
import { importSdf } from './read'
import { exportSdf } from './write'

export const sdf: Format = {
  id: 'sdf', label: 'SDFormat (Gazebo)',
  exporter: { extension: '.sdf', options: [], run: exportSdf },
  importer: { extensions: ['.sdf', '.world'], recognises, options: [], run: importSdf },
  motion: null,
}

const HEAD = 4096

function recognises({ name, content }: FormatFile): boolean {
  if (!/\.(sdf|world|xml)$/i.test(name)) return false
  const head = typeof content === 'string' ? content.slice(0, HEAD) : decodeUtf8(content.subarray(0, HEAD))
  return /<sdf[\s>]/.test(head)
}
