import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { pngOf } from '../../core/formats/picture-files'
import { commandLine, errors, json, type Scene } from './command-line'

const { cairn, folder } = commandLine()

describe('meshes from the command line', () => {
  const step = 'v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\nv 1 0 2\nv 0 0 2\nv 0 1 0\nv 2 1 0\nv 2 1 1\nv 1 1 1\nv 1 1 2\nv 0 1 2\n'
    + 'f 1 2 3 4 5 6\nf 12 11 10 9 8 7\nf 2 1 7 8\nf 3 2 8 9\nf 4 3 9 10\nf 5 4 10 11\nf 6 5 11 12\nf 1 6 12 7\n'

  beforeAll(() => { writeFileSync(join(folder, 'step.obj'), step) })

  it('are imported as a scene that runs, embedded or by reference', { tags: 'long' }, () => {
    const made = json(cairn('import', 'step.obj', '--scale', '0.1', '--json'))
    expect(made).toMatchObject({ status: 'completed', scene: 'step.cairn.json', pieces: 2, method: 'exact', notes: [] })
    expect(made.volume).toBeCloseTo(3e-3, 15)
    expect(cairn('import', 'step.obj', '--reference', '-o', 'referring.cairn.json').code).toBe(0)
    const shape = (JSON.parse(readFileSync(join(folder, 'referring.cairn.json'), 'utf8')) as Scene).bodies[1].shapes[0]
    expect(shape).toMatchObject({ file: 'step.obj', solid: { volume: 3 } })
    expect(shape.vertices).toBeUndefined()
    for (const scene of ['step', 'referring']) {
      const run = json(cairn('simulate', `${scene}.cairn.json`, '--duration', '0.1', '--json'))
      expect(run).toMatchObject({ status: 'completed', warnings: [] })
    }
  })

  it('are imported with their colours and textures, from files in their folder', () => {
    writeFileSync(join(folder, 'ground.obj'), `mtllib look.mtl\nvt 0 0\nusemtl paint\n${step.replaceAll(/^f (.*)$/gm, (_, face: string) => `f ${face.replaceAll(/\d+/g, '$&/1')}`)}`)
    writeFileSync(join(folder, 'look.mtl'), 'newmtl paint\nKd 0 0 1\nmap_Kd material.png\n')
    writeFileSync(join(folder, 'material.png'), pngOf([[[255, 0, 0]]]))
    expect(json(cairn('import', 'ground.obj', '--json'))).toMatchObject({ status: 'completed', notes: [] })
    const path = join(folder, 'ground.cairn.json')
    // The ids of the scene's own ground and material are taken.
    expect((JSON.parse(readFileSync(path, 'utf8')) as Scene).bodies[1].visuals).toMatchObject([{ mesh: 'ground-2', color: '#0000ff', texture: 'material-2' }])
    expect(cairn('validate', path).code).toBe(0)
  })

  it('without pieces are refused with a remedy, and then decomposed in place', () => {
    const path = join(folder, 'whole.cairn.json')
    expect(cairn('import', 'step.obj', '-o', path).code).toBe(0)
    const scene = JSON.parse(readFileSync(path, 'utf8')) as Scene
    delete scene.bodies[1].shapes[0].pieces
    writeFileSync(path, JSON.stringify(scene, null, 2))
    expect(errors(cairn('simulate', path, '--json'))[0]!.message).toMatch(/mesh: has no convex pieces yet; compute them with "cairn decompose"/)
    expect(json(cairn('decompose', path, '--json'))).toMatchObject({ status: 'completed', meshes: [{ path: 'bodies.body-step.shapes[0]', pieces: 2, method: 'exact' }] })
    expect(cairn('validate', path).code).toBe(0)
    expect(cairn('decompose', path).out).toMatch(/every mesh has its pieces already/)
  })

  it('that cannot be read are refused, with format, place and problem', () => {
    writeFileSync(join(folder, 'bad.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n')
    expect(errors(cairn('import', 'bad.obj', '--json'))[0]).toMatchObject({ name: 'MeshError', message: 'OBJ, line 4: "4" does not refer to a vertex; there are 3 so far' })
    expect(errors(cairn('import', 'step.blend', '--json'))[0]).toMatchObject({
      name: 'Usage', allowed: expect.stringMatching(/^a file ending in obj, stl, ply, gltf, glb, dae, .*urdf/) as string,
    })
    expect(errors(cairn('import', 'step.obj', '-o', 'other.cairn.json', '--method', 'exact', '--max-pieces', '1', '--json'))[0]!.message).toMatch(/mesh: more than 1 exact pieces are needed/)
  })
})
