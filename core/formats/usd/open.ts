/** Opens a USD file in any encoding: usda (text), usdc (binary), and usdz (an archive of both). */

import { FormatError } from '../shared/error'
import { decodeUtf8 } from '../shared/utf8'
import type { FormatFile } from '../format'
import type { UsdLayer } from './layer'
import { readUsdc, USDC_MAGIC } from './crate/read'
import { readUsda } from './usda-read'
import { readUsdz } from './usdz'

export interface OpenedLayer {
  readonly layer: UsdLayer
  /** Finds a file within the layer's archive; null for other files. */
  readonly inside: (path: string) => FormatFile | null
}

const MAX_BYTES = 512 * 1024 * 1024

/** @throws FormatError */
export function openLayer({ name, content }: FormatFile): OpenedLayer {
  const nothing = (): null => null
  if (content.length > MAX_BYTES) throw new FormatError('TooLarge', name, `"${name}" is ${content.length} bytes long.`, { allowed: `at most ${MAX_BYTES}` })
  if (typeof content === 'string') return { layer: readUsda(content), inside: nothing }
  if (startsWith(content, USDC_MAGIC)) return { layer: readUsdc(content), inside: nothing }
  if (startsWith(content, 'PK')) {
    const files = readUsdz(content, name)
    const inside = (path: string): FormatFile | null => files.find(file => file.name === path) ?? null
    const main = files.find(file => /\.usd[ac]?$/i.test(file.name))
    if (main === undefined) throw new FormatError('MalformedFile', name, 'The archive contains no USD layer.', { allowed: 'a first file ending in .usda, .usdc or .usd' })
    return { layer: openLayer(main).layer, inside }
  }
  return { layer: readUsda(decodeUtf8(content)), inside: nothing }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => bytes[i] === character.charCodeAt(0))
}

/** Whether a file's name or beginning identifies it as USD. */
export function isUsd({ name, content }: FormatFile): boolean {
  if (/\.usd[acz]?$/i.test(name)) return true
  return typeof content === 'string' ? content.startsWith('#usda ') : startsWith(content, USDC_MAGIC) || startsWith(content, '#usda ')
}

