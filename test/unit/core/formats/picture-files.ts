/** Small pictures for tests. */

import { crc32, deflateSync } from 'node:zlib'
import { toBase64 } from '../../../../core/math/base64'
import type { Scene } from '../../../../core/scene'

/** A PNG of these pixels, [red, green, blue] by row from the top. */
export function pngOf(rows: readonly (readonly (readonly [number, number, number])[])[]): Uint8Array {
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(rows[0]!.length, 0)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const lines = Buffer.concat(rows.map(row => Buffer.from([0, ...row.flat()])))
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  return new Uint8Array(Buffer.concat([Buffer.from(signature), chunk('IHDR', header), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0))]))
}

/** Red and green above blue and yellow. */
export const QUARTERS = pngOf([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 0]]])

/** The start of a JPEG of 640 × 480 pixels: what tells its size. */
export const JPEG_HEAD = Uint8Array.from([
  0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xc0, 0, 11, 8, 480 >> 8, 480 & 255, 640 >> 8, 640 & 255, 1, 1, 0x11, 0, 0xff, 0xd9,
])

/** A board with a picture, and a fin with colours of its vertices. */
export const square: Scene = {
  format: 'cairn-scene', version: 1,
  materials: [{ id: 'rubber' }],
  meshes: [
    { id: 'board', vertices: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], faces: [[0, 1, 2], [0, 2, 3]], uv: [[0, 0], [2, 0], [2, 0.25], [0, 0.25]] },
    { id: 'rainbow', vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], faces: [[0, 1, 2], [0, 2, 3]], colors: ['#ff0000', '#00ff00', '#0000ff', '#808080'] },
  ],
  textures: [{ id: 'quarters', picture: toBase64(QUARTERS) }],
  bodies: [
    { id: 'sign', shapes: [{ type: 'box', size: [1, 1, 0.1], material: 'rubber' }], visuals: [{ type: 'mesh', mesh: 'board', texture: 'quarters', color: '#ffffff' }] },
    { id: 'bow', position: [3, 0, 0], shapes: [{ type: 'box', size: [1, 1, 1], material: 'rubber' }], visuals: [{ type: 'mesh', mesh: 'rainbow', color: '#ffffff' }] },
  ],
}
