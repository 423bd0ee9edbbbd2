/** Height fields of MuJoCo and height maps of SDFormat: exact solids, compared with MuJoCo's own heights by rays. */

import { crc32, deflateSync } from 'node:zlib'
import loadMujoco from '@mujoco/mujoco'
import { describe, expect, it } from 'vitest'
import { meshMass } from '../../../../core/analysis/solids'
import { completeOptions, formatById, type FormatFile } from '../../../../core/formats'
import { heightSolid, MOST_HEIGHTS } from '../../../../core/formats/shared/height-field'
import { greyPng } from '../../../../core/formats/shared/png'
import { convexHull } from '../../../../core/geometry/hull'
import { ShapeError } from '../../../../core/geometry/shape'
import { validateScene, type Scene, type ShapeOf } from '../../../../core/scene'

const bytes32 = (n: number) => [n >>> 24, n >>> 16 & 255, n >>> 8 & 255, n & 255]

/** A grey PNG whose lines are filtered in turn by each filter. @param kind 0 grey, 2 RGB @param depth 8 or 16 bits */
function png(rows: readonly (readonly number[])[], { depth = 8, kind = 0, interlace = 0, size = [rows[0]!.length, rows.length] } = {}): Uint8Array {
  const channels = kind === 2 ? 3 : 1
  const lines = rows.map(row => row.flatMap(value => Array.from({ length: channels }, () => depth === 16 ? [value >> 8, value & 255] : [value]).flat()))
  const pixel = channels * depth / 8
  const filtered = lines.flatMap((line, r) => [r % 5, ...line.map((value, k) => {
    const [left, up, corner] = [line[k - pixel] ?? 0, lines[r - 1]?.[k] ?? 0, lines[r - 1]?.[k - pixel] ?? 0]
    const away = [left, up, corner].map(one => Math.abs(left + up - corner - one))
    const paeth = away[0]! <= away[1]! && away[0]! <= away[2]! ? left : away[1]! <= away[2]! ? up : corner
    return (value - [0, left, up, (left + up) >> 1, paeth][r % 5]!) & 255
  })])
  const chunk = (name: string, data: readonly number[]) => [...bytes32(data.length), ...Buffer.from(name), ...data, ...bytes32(crc32(Uint8Array.from([...Buffer.from(name), ...data])))]
  const header = [...bytes32(size[0]!), ...bytes32(size[1]!), depth, kind, 0, 0, interlace]
  return Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, ...chunk('IHDR', header), ...chunk('IDAT', [...deflateSync(Uint8Array.from(filtered))]), ...chunk('IEND', [])])
}

const waves = (rows: number, columns: number, most = 255) =>
  Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => Math.round(most * (0.5 + 0.3 * Math.sin(1.7 * c + r) + 0.2 * Math.cos(2.3 * r - c)))))

async function imported(format: string, name: string, content: string, beside: readonly FormatFile[] = []) {
  const { importer } = formatById(format)!
  return importer!.run({ name, content }, path => beside.find(file => file.name === path) ?? null, completeOptions(importer!.options))
}

const shapeOf = ({ bodies }: Scene) => bodies!.flatMap(body => body.shapes ?? []).find((shape): shape is ShapeOf<'mesh'> => shape.type === 'mesh')!

/** Height of the pieces above a point, m. */
function topAt({ pieces }: ShapeOf<'mesh'>, x: number, y: number): number {
  return pieces!.reduce((most, { points }) => {
    let [enter, leave] = [-Infinity, Infinity]
    for (const { normal, offset } of convexHull('mesh', points).faces) {
      const rest = offset - normal[0] * x - normal[1] * y
      if (normal[2] > 1e-12) leave = Math.min(leave, rest / normal[2])
      else if (normal[2] < -1e-12) enter = Math.max(enter, rest / normal[2])
      else if (rest < -1e-12) return most
    }
    return enter <= leave ? Math.max(most, leave) : most
  }, -Infinity)
}

const model = (field: string) => `<mujoco><asset><hfield name="t" size="3 2 0.7 0.25" ${field}/></asset>
  <worldbody><geom type="hfield" hfield="t"/><body pos="0 0 3"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>`

function binary(rows: readonly (readonly number[])[]): Uint8Array {
  const data = new DataView(new ArrayBuffer(8 + 4 * rows.length * rows[0]!.length))
  data.setInt32(0, rows.length, true)
  data.setInt32(4, rows[0]!.length, true)
  rows.flat().forEach((value, k) => data.setFloat32(8 + 4 * k, value, true))
  return new Uint8Array(data.buffer)
}

describe('a height field of MuJoCo', () => {
  const grid = waves(5, 7)
  it.each([
    ['in the element', `nrow="5" ncol="7" elevation="${grid.flat().join(' ')}"`, null],
    ['in a picture', 'file="hills.png"', { name: 'hills.png', content: png(grid) }],
    ['in a binary file', 'file="hills.bin"', { name: 'hills.bin', content: binary(grid) }],
    ['without heights', 'nrow="3" ncol="4"', null],
  ] as const)('%s has the same heights there', async (_, field, file) => {
    const { scene, losses, missing } = await imported('mjcf', 'm.xml', model(field), file ? [file] : [])
    expect(losses).toEqual([])
    expect(missing).toEqual([])
    expect(validateScene(scene)).toEqual([])
    const shape = shapeOf(scene)
    const mj = await loadMujoco()
    const files = new mj.MjVFS()
    if (file) files.addBuffer(file.name, file.content)
    const m = mj.MjModel.from_xml_string(model(field), files)
    const d = new mj.MjData(m)
    try {
      mj.mj_forward(m, d)
      const normal = mj.DoubleBuffer.FromArray([0, 0, 0])
      for (let k = 0; k < 60; k++) {
        const [x, y] = [-2.95 + 5.9 * ((0.754877666 * k) % 1), -1.95 + 3.9 * ((0.569840291 * k) % 1)]
        const away = mj.mj_rayHfield(m, d, 0, [x, y, 2], [0, 0, -1], normal)
        // MuJoCo keeps heights in single precision.
        expect(Math.abs(topAt(shape, x, y) - (2 - away))).toBeLessThan(1e-6)
      }
      normal.delete()
    } finally {
      d.delete()
      m.delete()
      files.delete()
    }
  })

  it('of too many heights is thinned, and files that are missing, damaged or too large are told', async () => {
    const fine = await imported('mjcf', 'm.xml', model('file="f.bin"'), [{ name: 'f.bin', content: binary(waves(200, 300)) }])
    expect(fine.losses[0]!.message).toBe(`Height field "t" has 300 × 200 heights, of which at most ${MOST_HEIGHTS} are used`)
    expect(shapeOf(fine.scene).pieces!.length).toBeLessThan(2 * MOST_HEIGHTS)
    expect((await imported('mjcf', 'm.xml', model('file="lost.png"'))).missing).toEqual(['lost.png'])
    const whole = png(grid)
    const told = async (content: Uint8Array | string) => (await imported('mjcf', 'm.xml', model('file="f.png"'), [{ name: 'f.png', content }])).losses.map(({ message }) => message).join()
    expect(await told(whole.subarray(0, 60))).toMatch(/cannot be used/)
    expect(await told(png(grid, { interlace: 1 }))).toMatch(/is interlaced/)
    expect(await told(png(grid, { size: [60_000, 60_000] }))).toMatch(/60000 × 60000 pixels/)
    expect(await told(png(grid, { size: [70, 50] }))).toMatch(/shorter than the picture/)
    expect(await told(png(grid, { size: [7, 2] }))).toMatch(/longer than the 16 bytes of the picture/)
    expect(await told(binary(grid).subarray(0, 50))).toMatch(/50 bytes/)
    expect(await told('text')).toMatch(/is text/)
    expect((await imported('mjcf', 'm.xml', model('file="../up.png"'))).losses[0]!.message).toMatch(/leads out of the folder/)
  })
})

describe('a height map of SDFormat', () => {
  const world = (inside = '') => `<sdf version="1.9"><model name="hills"><static>true</static><link name="l"><collision name="c"><geometry><heightmap><uri>hills.png</uri>
    <size>8 4 2</size><pos>1 0 0.5</pos>${inside}</heightmap></geometry></collision><collision name="s"><pose>0 0 9 0 0 0</pose><geometry><sphere><radius>1</radius></sphere></geometry></collision></link></model></sdf>`

  it('has the picture\'s heights, the brightest at its size, the first row at the greatest y, at its position', async () => {
    const rows = [[0, 0, 0], [0, 0, 0], [0, 30_000, 60_000]]
    const { scene, losses } = await imported('sdf', 'w.sdf', world(), [{ name: 'hills.png', content: png(rows, { depth: 16 }) }])
    expect(losses.map(({ message }) => message)).toEqual(['a terrain without thickness'])
    const shape = shapeOf(scene)
    expect(shape.position).toEqual([1, 0, 0.5])
    expect(topAt(shape, 4 - 1e-9, -2 + 1e-9)).toBeCloseTo(2, 6)
    expect(topAt(shape, 0, -2 + 1e-9)).toBeCloseTo(1, 6)
    expect(topAt(shape, 0, 1)).toBe(0)
    expect((await imported('sdf', 'w.sdf', world())).missing).toEqual(['hills.png'])
  })
})

describe('the solid of a height field', () => {
  it('is closed, and its columns fill it exactly; flat ground is one column', () => {
    const rows = waves(6, 5)
    const field = { rows: 6, columns: 5, heights: Float64Array.from(rows.flat(), value => value / 100), half: [3, 2] as const, base: 0.5 }
    const solid = heightSolid(field)
    const mass = meshMass({ type: 'mesh', material: '', vertices: solid.vertices, faces: solid.faces } as ShapeOf<'mesh'>)
    expect(mass).not.toBeInstanceOf(ShapeError)
    const pieces = solid.pieces.reduce((sum, { points }) => sum + convexHull('mesh', points).massProperties.volume, 0)
    expect(pieces / (mass as Exclude<typeof mass, ShapeError>).volume).toBeCloseTo(1, 12)
    expect(heightSolid({ ...field, heights: new Float64Array(30) }).pieces).toHaveLength(1)
    expect(heightSolid({ ...field, heights: Float64Array.from({ length: 30 }, (_, k) => 0.5 * (k % 5) + 0.25 * Math.floor(k / 5)) }).pieces).toHaveLength(1)
  })
})

it('pictures of all filters, depths and colours unpack to their values', () => {
  const rows = waves(11, 9)
  for (const kind of [0, 2]) expect([...greyPng(png(rows, { kind }), 'p').values].map(value => Math.round(255 * value))).toEqual(rows.flat())
  const deep = waves(11, 9, 65_535)
  expect([...greyPng(png(deep, { depth: 16 }), 'p').values].map(value => Math.round(65_535 * value))).toEqual(deep.flat())
  const noise = Array.from({ length: 200 }, (_, r) => Array.from({ length: 200 }, (_, c) => (r * 7919 + c * 104_729 + r * c * 31) % 251))
  expect([...greyPng(png(noise), 'p').values].map(value => Math.round(255 * value))).toEqual(noise.flat())
})
