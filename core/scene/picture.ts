/** Pictures of textures: PNG [W3C PNG, third edition] or JPEG [ITU-T T.81], recognised by their content. */

import { fromBase64 } from '../math/base64'

export interface Picture {
  readonly kind: 'png' | 'jpeg'
  /** px */
  readonly columns: number
  readonly rows: number
}

/** The size of a picture is stated in this many bytes from its start; colour profiles and previews before it are shorter. */
const HEAD = 768 * 1024
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52] as const

/** Null if the bytes are not a picture of these kinds. */
export function pictureOf(bytes: Uint8Array): Picture | null {
  const head = bytes.subarray(0, HEAD)
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const found = head.length >= 24 && PNG.every((byte, k) => head[k] === byte) ? { kind: 'png' as const, columns: view.getUint32(16), rows: view.getUint32(20) } : jpegOf(view)
  return found !== null && found.columns > 0 && found.rows > 0 ? found : null
}

/** The same for a picture in base64. */
export function pictureIn(base64: string): Picture | null {
  const bytes = fromBase64(base64.slice(0, HEAD / 3 * 4))
  return bytes === null ? null : pictureOf(bytes)
}

/** Reads segments up to the start of a frame. */
function jpegOf(view: DataView): Picture | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at++
      continue
    }
    // Starts of frames, apart from the tables between them: DHT, JPG, DAC.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { kind: 'jpeg', columns: view.getUint16(at + 7), rows: view.getUint16(at + 5) }
    }
    const alone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    at += alone ? 2 : 2 + Math.max(2, view.getUint16(at + 2))
  }
  return null
}
