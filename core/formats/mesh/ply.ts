/**
 * PLY, text and binary in both byte orders: the elements `vertex` (x, y, z, and red, green, blue) and `face` (one list of indices). Other elements
 * are skipped.
 */

import type { Vec3 } from '../../math/vector'
import { hexOfSrgb } from '../shared/colors'
import { NO_LOOK, PartCollector, type MeshPart } from './look'
import { finite, latin, MeshError, requireCount, type Mesh } from './mesh'

const SIZES = new Map<string, { readonly bytes: number, readonly read: (view: DataView, at: number, little: boolean) => number }>([
  ...['char', 'int8'].map(name => [name, { bytes: 1, read: (v: DataView, at: number) => v.getInt8(at) }] as const),
  ...['uchar', 'uint8'].map(name => [name, { bytes: 1, read: (v: DataView, at: number) => v.getUint8(at) }] as const),
  ...['short', 'int16'].map(name => [name, { bytes: 2, read: (v: DataView, at: number, l: boolean) => v.getInt16(at, l) }] as const),
  ...['ushort', 'uint16'].map(name => [name, { bytes: 2, read: (v: DataView, at: number, l: boolean) => v.getUint16(at, l) }] as const),
  ...['int', 'int32'].map(name => [name, { bytes: 4, read: (v: DataView, at: number, l: boolean) => v.getInt32(at, l) }] as const),
  ...['uint', 'uint32'].map(name => [name, { bytes: 4, read: (v: DataView, at: number, l: boolean) => v.getUint32(at, l) }] as const),
  ...['float', 'float32'].map(name => [name, { bytes: 4, read: (v: DataView, at: number, l: boolean) => v.getFloat32(at, l) }] as const),
  ...['double', 'float64'].map(name => [name, { bytes: 8, read: (v: DataView, at: number, l: boolean) => v.getFloat64(at, l) }] as const),
])

interface Property {
  readonly name: string
  readonly type: string
  /** Type of a list's length; absent for single values. */
  readonly lengthType?: string
}

interface Element {
  readonly name: string
  readonly count: number
  readonly properties: Property[]
}

/** Returns the next value of a type, from text or binary data. */
type Next = (type: string) => number

/** @throws MeshError naming the line of the header, or the element. */
export function readPly(bytes: Uint8Array): Mesh {
  return scan(bytes, null)
}

/** One part with the colours of the vertices. @throws MeshError naming the line of the header, or the element. */
export function partsOfPly(bytes: Uint8Array): MeshPart[] {
  const colors: string[] = []
  const { vertices, faces } = scan(bytes, colors)
  const parts = new PartCollector()
  const part = parts.part('', NO_LOOK)
  for (const face of faces) part.faces.push(face.map(v => part.corner(`${v}`, vertices[v]!, null, colors[v] ?? null)))
  return parts.list()
}

const LIGHTS = ['red', 'green', 'blue']
/** Full light in each type of a colour. */
const FULL = (type: string): number => type.startsWith('float') || type === 'double' ? 1 : type.endsWith('16') || type.endsWith('short') ? 65_535 : 255

/** @param colors receives the colour of each vertex, if the file has them */
function scan(bytes: Uint8Array, colors: string[] | null): Mesh {
  const { format, elements, body } = readHeader(bytes)
  const next = format === 'ascii' ? textValues(latin(bytes, body)) : binaryValues(bytes, body, format === 'binary_little_endian')
  const vertices: Vec3[] = []
  const faces: number[][] = []
  for (const element of elements) {
    for (let k = 0; k < element.count; k++) {
      const where = `${element.name} ${k}`
      const point = [NaN, NaN, NaN]
      const color = [NaN, NaN, NaN]
      for (const property of element.properties) {
        if (property.lengthType === undefined) {
          const axis = ['x', 'y', 'z'].indexOf(property.name)
          const value = next(property.type)
          if (axis >= 0) {
            point[axis] = value
          }
          const light = LIGHTS.indexOf(property.name)
          if (light >= 0) color[light] = value / FULL(property.type)
          continue
        }
        const length = next(property.lengthType)
        requireCount('PLY', where, 'vertices', length)
        const list = Array.from({ length }, () => next(property.type))
        if (element.name === 'face') {
          faces.push(list)
        }
      }
      if (element.name === 'vertex') {
        vertices.push(finite('PLY', where, point))
        if (colors && color.every(Number.isFinite)) colors[vertices.length - 1] = hexOfSrgb(color)
      }
    }
  }
  faces.forEach((face, f) => {
    if (face.length < 3 || !face.every(v => Number.isInteger(v) && v >= 0 && v < vertices.length)) {
      throw new MeshError('PLY', `face ${f}`, `[${face.slice(0, 10).join(', ')}] has to list at least 3 of the ${vertices.length} vertices`)
    }
  })
  if (faces.length === 0) {
    throw new MeshError('PLY', 'end', 'there are no faces')
  }
  return { vertices, faces }
}

function readHeader(bytes: Uint8Array): { format: string, elements: Element[], body: number } {
  const head = latin(bytes, 0, Math.min(bytes.length, 65536))
  const end = /^end_header\r?\n/m.exec(head)
  if (!head.startsWith('ply') || end === null) {
    throw new MeshError('PLY', 'line 1', 'no PLY header ("ply" … "end_header")')
  }
  let format = ''
  const elements: Element[] = []
  head.slice(0, end.index).split(/\r?\n/).forEach((line, i) => {
    const where = `line ${i + 1}`
    const words = line.trim().split(/\s+/)
    if (words[0] === 'format') {
      format = words[1] ?? ''
    } else if (words[0] === 'element') {
      const count = Number(words[2])
      requireCount('PLY', where, words[1] === 'face' ? 'faces' : 'vertices', count)
      elements.push({ name: words[1] ?? '', count, properties: [] })
    } else if (words[0] === 'property') {
      const property: Property = words[1] === 'list' ? { lengthType: words[2], type: words[3] ?? '', name: words[4] ?? '' }
        : { type: words[1] ?? '', name: words[2] ?? '' }
      const known = SIZES.has(property.type) && (words[1] !== 'list' || SIZES.has(property.lengthType ?? ''))
      if (!known || elements.length === 0) {
        throw new MeshError('PLY', where, `"${line.slice(0, 60)}" is not a property of an element`)
      }
      elements[elements.length - 1]!.properties.push(property)
    }
  })
  if (!['ascii', 'binary_little_endian', 'binary_big_endian'].includes(format)) {
    throw new MeshError('PLY', 'header', `format "${format.slice(0, 40)}"; known are ascii, binary_little_endian and binary_big_endian`)
  }
  return { format, elements, body: end.index + end[0].length }
}

function textValues(text: string): Next {
  const words = text.split(/\s+/).filter(word => word !== '')
  let at = 0
  return () => {
    if (at >= words.length) {
      throw new MeshError('PLY', 'end', 'the file ends too early')
    }
    return Number(words[at++])
  }
}

function binaryValues(bytes: Uint8Array, body: number, little: boolean): Next {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = body
  return type => {
    const { bytes: size, read } = SIZES.get(type)!
    if (at + size > bytes.length) {
      throw new MeshError('PLY', `byte ${at}`, 'the file ends too early')
    }
    at += size
    return read(view, at - size, little)
  }
}
