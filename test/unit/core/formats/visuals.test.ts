/** Visuals beside collision shapes: kept by the five formats, and without effect on the motion. */

import loadMujoco from '@mujoco/mujoco'
import { describe, expect, it } from 'vitest'
import { completeOptions, formatById, type FormatFile } from '../../../../core/formats'
import { requireScene, removeElements, renameId, resolveScene, sceneHash, validateScene, type Scene } from '../../../../core/scene'

const robot: Scene = {
  format: 'cairn-scene', version: 1,
  materials: [{ id: 'rubber', friction: { static: 0.8, dynamic: 0.7 }, color: '#204060' }],
  meshes: [{ id: 'cover', vertices: [[0, 0, 0.5], [1, 0, 0], [0, 1, 0.25], [-1, 0, 0]], faces: [[0, 1, 2], [0, 2, 3]] }],
  bodies: [
    { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
    {
      id: 'hull', position: [0, 0, 1], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'rubber' }],
      visuals: [{ type: 'mesh', mesh: 'cover', position: [0, 0.5, 0], color: '#ff8000' }, { type: 'sphere', radius: 0.25, color: '#00ff80' }],
    },
    { id: 'twin', position: [3, 0, 1], shapes: [{ type: 'sphere', radius: 0.25, material: 'rubber' }], visuals: [{ type: 'mesh', mesh: 'cover', color: '#ff8000' }] },
    { id: 'plain', position: [6, 0, 1], shapes: [{ type: 'sphere', radius: 0.25, material: 'rubber' }] },
    { id: 'sign', type: 'fixed', position: [0, 4, 0], visuals: [{ type: 'box', size: [1, 0.1, 0.5], color: '#ffffff' }] },
  ],
}

async function importText(format: string, name: string, content: string, beside: readonly FormatFile[] = []) {
  const { importer } = formatById(format)!
  return importer!.run({ name, content }, path => beside.find(file => file.name === path) ?? null, completeOptions(importer!.options))
}

describe('a scene with visuals', () => {
  it('has the same hash as without them', () => {
    const { meshes: _, bodies, ...rest } = robot
    const plain: Scene = { ...rest, bodies: bodies!.map(({ visuals: _visuals, ...body }) => body) }
    expect(sceneHash(resolveScene(robot))).toBe(sceneHash(resolveScene(plain)))
  })

  it('refers only to existing meshes, and their faces only to existing vertices', () => {
    expect(validateScene({ ...robot, meshes: [] }).map(({ name, path }) => [name, path])).toEqual([
      ['UnknownReference', 'bodies[1].visuals[0].mesh'], ['UnknownReference', 'bodies[2].visuals[0].mesh'],
    ])
    expect(validateScene({ ...robot, meshes: [{ ...robot.meshes![0]!, faces: [[0, 1, 4]] }] })[0]).toMatchObject({ name: 'InvalidFace', path: 'meshes[0].faces[0]' })
  })

  it('keeps its visuals when a mesh gets a new id, and loses those of a deleted mesh', () => {
    const renamed = renameId(robot, 'cover', 'shell')
    expect(renamed.ok && renamed.scene.bodies!.slice(1, 3).map(body => body.visuals![0])).toMatchObject([{ mesh: 'shell' }, { mesh: 'shell' }])
    const removed = removeElements(robot, ['cover'])
    expect(removed.ok && removed.scene.bodies!.map(body => body.visuals?.length)).toEqual([undefined, 1, undefined, undefined, 1])
    expect(removed.ok && validateScene(removed.scene)).toEqual([])
  })
})

describe.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda'])('%s', id => {
  it('keeps the visuals of bodies, and one mesh shared by two bodies', async () => {
    const { exporter, importer } = formatById(id)!
    const { files } = await exporter!.run(resolveScene(robot), 'robot', completeOptions(exporter!.options))
    const back = await importer!.run(files[0]!, path => files.find(file => file.name === path) ?? null, completeOptions(importer!.options))
    const scene = requireScene(back.scene)
    const visuals = (body: string) => scene.bodies!.find(one => one.id === body)!.visuals
    expect(back.missing).toEqual([])
    // glTF shows a ball as a mesh.
    expect(visuals('hull')).toMatchObject([{ type: 'mesh', color: '#ff8000' }, { type: id === 'gltf' ? 'mesh' : 'sphere', color: '#00ff80' }])
    expect(visuals('twin')).toMatchObject([{ type: 'mesh', color: '#ff8000' }])
    expect(visuals('plain')).toBeUndefined()
    expect(visuals('sign')).toHaveLength(1)
    expect((visuals('twin')![0] as { mesh: string }).mesh).toBe((visuals('hull')![0] as { mesh: string }).mesh)
    expect(scene.bodies!.map(body => body.shapes?.length ?? 0)).toEqual([1, 1, 1, 1, 0])
  })
})

describe('MJCF', () => {
  const model = (geoms: string) => `<mujoco><asset><mesh name="leg" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"/></asset>
    <worldbody><body name="b"><freejoint/>${geoms}</body></worldbody></mujoco>`

  it('shows geoms without contacts, and of the others those that MuJoCo shows', async () => {
    const { scene, losses } = await importText('mjcf', 'm.xml', model(`<geom type="mesh" mesh="leg" contype="0" conaffinity="0" group="2" rgba="1 0 0 1"/>
      <geom type="box" size=".1 .1 .1" group="0" rgba="0 1 0 1"/><geom size=".1" group="3"/><geom size=".2" group="4" contype="0" conaffinity="0"/>`))
    expect(scene.bodies![0]!.visuals).toMatchObject([{ type: 'mesh', mesh: 'leg', color: '#ff0000' }, { type: 'box', color: '#00ff00' }])
    expect(scene.bodies![0]!.shapes!.map(({ type }) => type)).toEqual(['box', 'sphere'])
    expect(losses.map(({ message }) => message)).toContain('A geom without contacts that MuJoCo does not show')
  })

  it('has no visuals for bodies that look like their collision shapes', async () => {
    const { scene } = await importText('mjcf', 'm.xml', model('<geom type="mesh" mesh="leg"/>'))
    expect(scene.bodies![0]!.visuals).toBeUndefined()
    expect(scene.meshes).toBeUndefined()
  })

  it('loads in MuJoCo with open surfaces, and with the masses of the scene', async () => {
    const { exporter } = formatById('mjcf')!
    const { files } = await exporter!.run(resolveScene(robot), 'robot', {})
    const mj = await loadMujoco()
    const m = mj.MjModel.from_xml_string(files[0]!.content as string)
    try {
      expect([m.nbody, m.ngeom, m.nmesh]).toEqual([6, 8, 1])
      expect([...m.body_mass].slice(2, 3)).toEqual([125])
    } finally {
      m.delete()
    }
  })
})

describe('URDF', () => {
  const cover = { name: 'meshes/cover.obj', content: 'v 0 0 0\nv 1 0 0\nv 0 1 0.5\nf 1 2 3\n' }
  const link = (name: string, inside: string) => `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>${inside}</link>`

  it('shows visuals, mirrored ones with reversed faces, and reports missing files', async () => {
    const text = `<robot name="r">${link('a', `<visual><geometry><mesh filename="package://meshes/cover.obj" scale="1 -1 1"/></geometry></visual>
      <visual><geometry><mesh filename="meshes/lost.stl"/></geometry></visual><collision><geometry><sphere radius="1"/></geometry></collision>`)}</robot>`
    const { scene, missing } = await importText('urdf', 'r.urdf', text, [cover])
    expect(scene.bodies![0]!.visuals).toMatchObject([{ type: 'mesh', mesh: 'cover' }])
    expect(scene.meshes).toEqual([{ id: 'cover', vertices: [[0, -0, 0], [1, -0, 0], [0, -1, 0.5]], faces: [[2, 1, 0]] }])
    expect(missing).toEqual(['meshes/lost.stl'])
  })

  it('keeps the visuals of fused links, also where they equal the collision shapes', async () => {
    const ball = '<geometry><sphere radius="0.5"/></geometry>'
    const text = `<robot name="r">${link('a', `<visual><geometry><box size="1 1 1"/></geometry></visual><collision>${ball}</collision>`)}
      ${link('b', `<visual>${ball}</visual><collision>${ball}</collision>`)}
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/><origin xyz="0 0 2"/></joint></robot>`
    const { scene } = await importText('urdf', 'r.urdf', text)
    expect(scene.bodies![0]!.visuals).toMatchObject([{ type: 'box' }, { type: 'sphere', position: [0, 0, 2] }])
  })
})
