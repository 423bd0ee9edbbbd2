/** Textures, and colours and coordinates of vertices, in the document: checked as input from anywhere; without effect on the motion. */

import { describe, expect, it } from 'vitest'
import { toBase64 } from '../../../../core/math/base64'
import { removeElements, renameId, resolveScene, sceneHash, validateScene, type Scene } from '../../../../core/scene'
import { QUARTERS, square } from '../formats/picture-files'

describe('the document', () => {
  const [sign, bow] = square.bodies!
  const problems = (scene: Scene) => validateScene(scene).map(({ name, path }) => [name, path])

  it('refuses textures that do not exist, meshes without coordinates, and lists of another length', () => {
    expect(validateScene(square)).toEqual([])
    expect(problems({ ...square, textures: [] })).toEqual([['UnknownReference', 'bodies[0].visuals[0].texture']])
    const [board, rainbow] = square.meshes!
    const { uv: _, ...unmapped } = board!
    expect(problems({ ...square, meshes: [unmapped, rainbow!] })).toEqual([['InvalidValue', 'bodies[0].visuals[0].texture']])
    expect(problems({ ...square, meshes: [{ ...board!, uv: [[0, 0]] }, { ...rainbow!, colors: ['#ff0000'] }] })).toEqual([['InvalidValue', 'meshes[0].uv'], ['InvalidValue', 'meshes[1].colors']])
    expect(problems({ ...square, meshes: [{ ...board!, uv: [[0, NaN] as [number, number], [0, 0], [0, 0], [0, 0]] }, rainbow!] }).length).toBeGreaterThan(0)
    expect(problems({ ...square, meshes: [board!, { ...rainbow!, colors: ['red', '#fff', '#000000', '#000000'] }] }).map(([, path]) => path)).toEqual(['meshes[1].colors[0]', 'meshes[1].colors[1]'])
  })

  it('refuses what is no picture, and pictures of too many pixels', () => {
    const withPicture = (bytes: Uint8Array | string, count = 1) => problems({ ...square, textures: Array.from({ length: count }, (_, k) => ({ id: k === 0 ? 'quarters' : `t${k}`, picture: typeof bytes === 'string' ? bytes : toBase64(bytes) })) })
    expect(withPicture(Uint8Array.of(71, 73, 70))).toEqual([['InvalidValue', 'textures[0].picture']])
    expect(withPicture('no base64!')).toEqual([['InvalidFormat', 'textures[0].picture']])
    const sized = (columns: number, rows: number) => {
      const bytes = QUARTERS.slice()
      new DataView(bytes.buffer).setUint32(16, columns)
      new DataView(bytes.buffer).setUint32(20, rows)
      return bytes
    }
    expect(withPicture(sized(9000, 10))).toEqual([['TooMany', 'textures[0].picture']])
    expect(withPicture(sized(8192, 8192))).toEqual([])
    expect(withPicture(sized(8192, 8192), 2)).toEqual([['TooMany', 'textures']])
  })

  it('has the same hash with other looks, and follows new ids and deletions', () => {
    const plain: Scene = { format: 'cairn-scene', version: 1, materials: square.materials!, bodies: [sign!, bow!].map(({ visuals: _, ...body }) => body) }
    expect(sceneHash(resolveScene(square))).toBe(sceneHash(resolveScene(plain)))
    const renamed = renameId(square, 'quarters', 'tiles')
    expect(renamed.ok && renamed.scene.bodies![0]!.visuals![0]).toMatchObject({ texture: 'tiles' })
    const removed = removeElements(square, ['quarters'])
    expect(removed.ok && [removed.scene.bodies![0]!.visuals![0], validateScene(removed.scene)]).toEqual([{ type: 'mesh', mesh: 'board', color: '#ffffff' }, []])
  })
})
