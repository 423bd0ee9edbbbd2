/** Textures, colours of parts and colours of vertices: kept from the files to the scene and back; what is lost is named. */

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import loadMujoco from '@mujoco/mujoco'
import { NodeIO } from '@gltf-transform/core'
import { describe, expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'
import { toBase64 } from '../../../../core/math/base64'
import { rotate } from '../../../../core/math/quaternion'
import { add, type Vec3 } from '../../../../core/math/vector'
import { requireScene, resolveScene, validateScene, type Scene, type Visual } from '../../../../core/scene'
import { JPEG_HEAD, pngOf, QUARTERS, square } from './picture-files'

const validator = createRequire(import.meta.url)('gltf-validator') as { validateBytes(bytes: Uint8Array): Promise<{ issues: { numErrors: number; numWarnings: number } }> }

const CORPUS = resolve(import.meta.dirname, '../../../../../shared/reference/exchange')

type Scenes = { readonly scene: Scene; readonly body: string }
type MeshVisual = Extract<Visual, { type: 'mesh' }>

function lookOf({ scene, body }: Scenes) {
  const visual = scene.bodies!.find(({ id }) => id === body)!.visuals![0] as MeshVisual
  const mesh = scene.meshes!.find(({ id }) => id === visual.mesh)!
  return { visual, mesh, picture: scene.textures?.find(({ id }) => id === visual.texture)?.picture }
}

/** By corner of each face: its place, coordinates and colour. Independent of the order of vertices. */
function cornersOf({ mesh: { vertices, faces, uv, colors } }: ReturnType<typeof lookOf>): string[] {
  const rounded = (list: readonly number[] = []) => list.map(x => (Math.round(x * 1e5) / 1e5 + 0).toString()).join(' ')
  return faces.flatMap(face => face.map(v => `${rounded(vertices[v])} | ${rounded(uv?.[v])} | ${colors?.[v] ?? ''}`)).sort()
}

async function importText(format: string, content: string | Uint8Array, beside: Readonly<Record<string, string | Uint8Array>> = {}, name = `r.${format}`) {
  const { importer } = formatById(format)!
  const found = await importer!.run({ name, content }, path => path in beside ? { name: path, content: beside[path]! } : null, completeOptions(importer!.options))
  return { ...found, scene: requireScene(found.scene), looks: found.losses.filter(({ message }) => /texture|colour|material/.test(message)).map(({ message }) => message) }
}

describe.each(['mjcf', 'urdf', 'sdf', 'gltf', 'usda'])('%s', id => {
  const exported = async () => {
    const { exporter } = formatById(id)!
    const { files, losses } = await exporter!.run(resolveScene(square), 'square', completeOptions(exporter!.options))
    return { main: files[0]!, beside: Object.fromEntries(files.map(({ name, content }) => [name, content])), losses }
  }

  it('keeps a picture with its coordinates', async () => {
    const { main, beside } = await exported()
    const back = await importText(id, main.content, beside, main.name)
    const look = lookOf({ scene: back.scene, body: 'sign' })
    expect(back.missing).toEqual([])
    expect(look.picture).toBe(square.textures![0]!.picture)
    expect(look.visual.color ?? '#ffffff').toBe('#ffffff')
    expect(cornersOf(look)).toEqual(cornersOf(lookOf({ scene: square, body: 'sign' })))
  })

  it(id === 'mjcf' ? 'writes the mean of the colours of vertices, and says so' : 'keeps the colours of vertices', async () => {
    const { main, beside, losses } = await exported()
    const back = await importText(id, main.content, beside, main.name)
    const look = lookOf({ scene: back.scene, body: 'bow' })
    if (id !== 'mjcf') expect(cornersOf(look)).toEqual(cornersOf(lookOf({ scene: square, body: 'bow' })))
    else {
      expect(losses).toContainEqual({ path: 'bodies[1].visuals[0]', message: 'MuJoCo has no colours of vertices', instead: 'their mean' })
      expect(look.visual.color).toBe('#606060')
    }
  })
})

it('MuJoCo loads the picture, and puts it where the scene has it', async () => {
  const { files } = await formatById('mjcf')!.exporter!.run(resolveScene(square), 'square', {})
  const mj = await loadMujoco()
  const vfs = new mj.MjVFS()
  for (const { name, content } of files.slice(1)) vfs.addBuffer(name, content as Uint8Array)
  const m = mj.MjModel.from_xml_string(files[0]!.content as string, vfs)
  try {
    expect([m.ntex, [...m.tex_width], [...m.tex_height]]).toEqual([1, [2], [2]])
    // The first row of a texture is at v = 0.
    expect([...m.tex_data].slice(0, 6)).toEqual([255, 0, 0, 0, 255, 0])
    // MuJoCo moves meshes to their principal axes.
    const [w, x, y, z] = m.mesh_quat as unknown as [number, number, number, number]
    const places = Array.from({ length: 4 }, (_, i) => {
      const p = add(rotate([x, y, z, w], [...m.mesh_vert].slice(3 * i, 3 * i + 3) as unknown as Vec3), [...m.mesh_pos].slice(0, 3) as unknown as Vec3)
      return [p.slice(0, 2).map(one => Math.round(one)).join(' '), [...m.mesh_texcoord].slice(2 * i, 2 * i + 2)] as const
    })
    expect(new Map(places)).toEqual(new Map([['0 0', [0, 1]], ['1 0', [2, 1]], ['1 1', [2, 0.75]], ['0 1', [0, 0.75]]]))
  } finally {
    m.delete()
    vfs.delete()
  }
})

it('glTF is valid, and another reader finds picture, coordinates and colours', async () => {
  const { files } = await formatById('gltf')!.exporter!.run(resolveScene(square), 'square', { text: false })
  const bytes = files[0]!.content as Uint8Array
  const { issues } = await validator.validateBytes(bytes)
  expect([issues.numErrors, issues.numWarnings]).toEqual([0, 0])
  const root = (await new NodeIO().readBinary(bytes)).getRoot()
  expect(root.listTextures().map(texture => [texture.getMimeType(), toBase64(texture.getImage()!)])).toEqual([['image/png', toBase64(QUARTERS)]])
  const pictured = root.listMeshes().map(mesh => mesh.listPrimitives()[0]!).find(primitive => primitive.getMaterial()?.getBaseColorTexture())!
  const places = Array.from({ length: 4 }, (_, i) => [pictured.getAttribute('POSITION')!.getElement(i, []), pictured.getAttribute('TEXCOORD_0')!.getElement(i, [])])
  // x, y of the scene are x, −z of glTF; v is measured from the top.
  expect(places.find(([p]) => p![0] === 1 && p![2] === -1)![1]).toEqual([2, 0.75])
  expect(root.listMeshes().some(mesh => mesh.listPrimitives()[0]!.getAttribute('COLOR_0')?.getElement(0, []).length === 3)).toBe(true)
})

describe('OBJ', () => {
  const OBJ = 'mtllib two things.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.5\nusemtl paint\nf 1/1 2/2 3/3\nusemtl red\nf 1 3 4\n'
  const MTL = 'newmtl paint\nKd 1 1 1\nmap_Kd -s 1 1 1 -clamp on paints/two colours.png\nnewmtl red\nKd 1 0 0\n'
  const urdf = (visual: string) => '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    + `${visual}<collision><geometry><sphere radius="1"/></geometry></collision></link></robot>`
  const visual = '<visual><geometry><mesh filename="parts/a.obj" scale="2 2 2"/></geometry></visual>'

  it('becomes a visual for each material, with the picture of its library', async () => {
    const { scene, looks, missing } = await importText('urdf', urdf(visual), { 'parts/a.obj': OBJ, 'parts/two things.mtl': MTL, 'parts/paints/two colours.png': QUARTERS })
    expect(scene.bodies![0]!.visuals).toMatchObject([{ mesh: 'a', texture: 'two-colours', color: '#ffffff' }, { mesh: 'a-2', color: '#ff0000' }])
    expect(scene.textures).toEqual([{ id: 'two-colours', name: 'two colours', picture: toBase64(QUARTERS) }])
    expect(scene.meshes).toMatchObject([{ vertices: [[0, 0, 0], [2, 0, 0], [2, 2, 0]], uv: [[0, 0], [1, 0], [1, 1]] }, { vertices: [[0, 0, 0], [2, 2, 0], [0, 2, 0]] }])
    expect(scene.meshes![1]!.uv).toBeUndefined()
    expect([looks, missing]).toEqual([[], []])
  })

  it('is read without its library and its pictures, which are asked for', async () => {
    const without = await importText('urdf', urdf(visual), { 'parts/a.obj': OBJ })
    expect([without.missing, without.scene.bodies![0]!.visuals!.length]).toEqual([['parts/two things.mtl'], 1])
    const unpictured = await importText('urdf', urdf(visual), { 'parts/a.obj': OBJ, 'parts/two things.mtl': MTL })
    expect(unpictured.missing).toEqual(['parts/paints/two colours.png'])
    expect(unpictured.looks).toEqual(['a texture, "paints/two colours.png", which was not found'])
  })

  it('gives way to the colour of the visual, and to its texture', async () => {
    const own = (material: string) => urdf(visual.replace('</visual>', `<material name="m">${material}</material></visual>`))
    const files = { 'parts/a.obj': OBJ, 'parts/two things.mtl': MTL, 'wood.png': QUARTERS }
    expect((await importText('urdf', own('<color rgba="0 0 1 1"/>'), files)).scene.bodies![0]!.visuals).toMatchObject([{ color: '#0000ff' }])
    const wooden = await importText('urdf', own('<texture filename="wood.png"/>'), files)
    expect(wooden.scene.textures!.map(({ id }) => id)).toEqual(['wood'])
    expect((wooden.scene.bodies![0]!.visuals![0] as MeshVisual).texture).toBe('wood')
  })

  it('is shown beside an equal collision mesh, whose shape has one colour only', async () => {
    const text = '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
      + '<visual><geometry><mesh filename="b.obj"/></geometry></visual><collision><geometry><mesh filename="b.obj"/></geometry></collision></link></robot>'
    const solid = 'v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nv 0 0 1 1 1 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n'
    const { scene } = await importText('urdf', text, { 'b.obj': solid })
    expect(scene.meshes![0]!.colors).toEqual(['#ff0000', '#0000ff', '#00ff00', '#ffffff'])
    expect((await importText('urdf', text, { 'b.obj': solid.replaceAll(/ [01] [01] [01]$/gm, '').replaceAll(/^v (\S+ \S+ \S+) .*/gm, 'v $1') })).scene.meshes).toBeUndefined()
  })
})

it('COLLADA: colours and pictures of the bound materials, by their samplers', async () => {
  const dae = '<COLLADA version="1.4.1"><asset><up_axis>Z_UP</up_axis></asset><library_images><image id="i"><init_from>my%20bark.png</init_from></image></library_images>'
    + '<library_effects><effect id="e"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam><newparam sid="p"><sampler2D><source>s</source></sampler2D></newparam>'
    + '<technique sid="c"><lambert><diffuse><texture texture="p" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect>'
    + '<effect id="f"><profile_COMMON><technique sid="c"><phong><diffuse><color>0 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>'
    + '<library_materials><material id="bark"><instance_effect url="#e"/></material><material id="moss"><instance_effect url="#f"/></material></library_materials>'
    + '<library_geometries><geometry id="g"><mesh><source id="p0"><float_array id="a" count="12">0 0 0 1 0 0 1 1 0 0 1 0</float_array><technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>'
    + '<source id="t0"><float_array id="b" count="6">0 0 1 0 1 1</float_array><technique_common><accessor source="#b" count="3" stride="2"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p0"/></vertices>'
    + '<triangles count="1" material="one"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="TEXCOORD" source="#t0" offset="1" set="0"/><p>0 0 1 1 2 2</p></triangles>'
    + '<triangles count="1" material="two"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 3</p></triangles></mesh></geometry></library_geometries>'
    + '<library_visual_scenes><visual_scene id="vs"><node><instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="one" target="#bark"/><instance_material symbol="two" target="#moss"/>'
    + '</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#vs"/></scene></COLLADA>'
  const sdf = '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh><uri>a.dae</uri></mesh></geometry></visual></link></model></sdf>'
  const { scene, looks } = await importText('sdf', sdf, { 'a.dae': dae, 'my bark.png': QUARTERS })
  expect(scene.bodies![0]!.visuals).toMatchObject([{ texture: 'my-bark', color: '#ffffff' }, { color: '#008000' }])
  expect(scene.meshes![0]).toMatchObject({ vertices: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], uv: [[0, 0], [1, 0], [1, 1]] })
  expect(looks).toEqual([])
})

it('PLY: colours of vertices', async () => {
  const ply = 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n'
    + 'property list uchar int vertex_indices\nend_header\n0 0 0 255 0 0\n1 0 0 0 128 0\n0 1 0 0 0 255\n3 0 1 2\n'
  const sdf = '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh><uri>a.ply</uri></mesh></geometry></visual></link></model></sdf>'
  expect((await importText('sdf', sdf, { 'a.ply': ply })).scene.meshes![0]!.colors).toEqual(['#ff0000', '#008000', '#0000ff'])
})

describe('USD', () => {
  const stage = (body: string) => `#usda 1.0\n( metersPerUnit = 1\n upAxis = "Z" )\ndef Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) {
    def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) { ${body} } }
    def Material "wood" { token outputs:surface.connect = </wood/s.outputs:surface>
      def Shader "s" { uniform token info:id = "UsdPreviewSurface"\n color3f inputs:diffuseColor.connect = </wood/t.outputs:rgb>\n token outputs:surface }
      def Shader "n" { uniform token info:id = "UsdUVTexture"\n asset inputs:file = @bumps.png@ }
      def Shader "t" { uniform token info:id = "UsdUVTexture"\n asset inputs:file = @./maps/wood.png@\n float4 inputs:scale = (1, 0.2, 1, 1)\n float2 inputs:st.connect = </wood/r.outputs:result>\n float3 outputs:rgb }
      def Shader "r" { uniform token info:id = "UsdPrimvarReader_float2"\n string inputs:varname = "UVMap"\n float2 outputs:result } }`
  const MESH = 'point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\n int[] faceVertexCounts = [3, 3]\n int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]\n'

  it('follows the connections of the material to its picture and the coordinates of corners', async () => {
    const { scene, looks } = await importText('usda', stage(`${MESH} rel material:binding = </wood>
      texCoord2f[] primvars:UVMap = [(0, 0), (1, 0), (1, 1), (0.5, 1)] (interpolation = "faceVarying")\n int[] primvars:UVMap:indices = [0, 1, 2, 0, 3, 1]`), { 'maps/wood.png': QUARTERS })
    const look = lookOf({ scene, body: 'b' })
    expect(look.picture).toBe(toBase64(QUARTERS))
    expect(look.visual.color).toBe('#ff7cff')
    expect(cornersOf(look)).toEqual(['0 0 0 | 0 0 | ', '0 0 0 | 0 0 | ', '0 1 0 | 1 0 | ', '1 0 0 | 1 0 | ', '1 1 0 | 0.5 1 | ', '1 1 0 | 1 1 | '])
    expect(looks).toEqual([])
  })

  it('reads colours by vertex and by face', async () => {
    const byFace = await importText('usda', stage(`${MESH} color3f[] primvars:displayColor = [(1, 0, 0), (0, 0, 1)] (interpolation = "uniform")`))
    expect(lookOf({ scene: byFace.scene, body: 'b' }).mesh.colors!.toSorted()).toEqual(['#0000ff', '#0000ff', '#0000ff', '#ff0000', '#ff0000', '#ff0000'])
    const byVertex = await importText('usda', stage(`${MESH} color3f[] primvars:displayColor = [(1, 0, 0), (0, 0, 1), (0, 1, 0), (1, 1, 1)] (interpolation = "vertex")`))
    expect(lookOf({ scene: byVertex.scene, body: 'b' }).mesh.colors).toHaveLength(4)
  })
})

it('MJCF: the texture of a material, repeated, on a mesh file', async () => {
  const model = '<mujoco><asset><texture name="t" type="2d" file="bark.png"/><material name="m" texture="t" texrepeat="2 3"/><mesh name="k" file="k.obj"/></asset>'
    + '<worldbody><body name="b"><freejoint/><geom size="1"/><geom type="mesh" mesh="k" material="m" contype="0" conaffinity="0"/></body></worldbody></mujoco>'
  const obj = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 3/3 2/2\nf 1/1 2/2 4/3\nf 2/2 3/3 4/1\nf 3/3 1/1 4/1\n'
  const { scene, looks } = await importText('mjcf', model, { 'k.obj': obj, 'bark.png': QUARTERS }, 'm.xml')
  const visual = scene.bodies![0]!.visuals!.find(one => one.type === 'mesh') as MeshVisual
  expect(visual.texture).toBe('bark')
  const { vertices, uv } = scene.meshes!.find(({ id }) => id === visual.mesh)!
  expect(uv![vertices.findIndex(([x]) => x === 1)]).toEqual([2, -2])
  expect(looks).toEqual([])
})

describe('what is lost is named', () => {
  it.each([
    ['mjcf', 'm.xml', '<mujoco><asset><texture name="t" type="2d" file="bark.png"/><material name="m" texture="t"/></asset><worldbody><body><freejoint/><geom size="1" material="m"/></body></worldbody></mujoco>',
      'a texture, "bark.png", on geoms without texture coordinates'],
    ['mjcf', 'm.xml', '<mujoco><asset><texture name="grid" type="2d" builtin="checker" width="9" height="9"/><material name="m" texture="grid"/></asset><worldbody><body><freejoint/><geom size="1" material="m"/></body></worldbody></mujoco>',
      'a texture, "grid", which is no flat picture'],
    ['urdf', 'r.urdf', '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><sphere radius="1"/></geometry>'
      + '<material name="m"><texture filename="bark.png"/></material></visual></link></robot>', 'a texture, "bark.png", which only meshes can have'],
    ['sdf', 'r.sdf', '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry><material><pbr><metal><albedo_map>bark.png</albedo_map>'
      + '</metal></pbr></material></visual></link></model></sdf>', 'a texture, "bark.png", which only meshes can have'],
  ])('%s', async (format, name, content, message) => {
    expect((await importText(format, content, { 'bark.png': QUARTERS }, name)).looks).toEqual([message])
  })

  it('pictures of other kinds, and larger ones than the scene may have', async () => {
    const gltf = (bytes: Uint8Array) => JSON.stringify({
      asset: { version: '2.0' }, extensionsUsed: ['KHR_physics_rigid_bodies'], nodes: [{ mesh: 0, extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1 } } } }], scenes: [{ nodes: [0] }],
      materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }], textures: [{ source: 0 }], images: [{ uri: `data:image/png;base64,${toBase64(bytes)}`, name: 'bark' }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, material: 0 }] }], buffers: [{ byteLength: 60, uri: `data:;base64,${toBase64(new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1]).buffer))}` }],
      bufferViews: [{ buffer: 0, byteLength: 36 }, { buffer: 0, byteOffset: 36, byteLength: 24 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }, { bufferView: 1, componentType: 5126, count: 3, type: 'VEC2' }],
    })
    expect((await importText('gltf', gltf(QUARTERS))).scene.textures).toHaveLength(1)
    expect((await importText('gltf', gltf(JPEG_HEAD))).scene.textures).toHaveLength(1)
    expect((await importText('gltf', gltf(Uint8Array.of(1, 2, 3)))).looks).toEqual(['a texture, "bark", which is neither PNG nor JPEG'])
    const wide = pngOf([Array.from({ length: 8193 }, () => [0, 0, 0] as const)])
    expect((await importText('gltf', gltf(wide))).looks).toEqual(['a texture, "bark", of 8193 × 1 pixels, of which 8192 along a side are allowed'])
  })
})

describe.skipIf(!existsSync(CORPUS))('the tutorial robot of ROS', () => {
  it('asks for the pictures of its grippers, and shows them', async () => {
    const folder = `${CORPUS}/urdf/urdftutorial-07-physics`
    const importer = formatById('urdf')!.importer!
    const imported = (pictures: Readonly<Record<string, Uint8Array>>) => importer.run({ name: 'r.urdf', content: readFileSync(`${folder}/07-physics.urdf`, 'utf8') }, path => {
      if (path in pictures) return { name: path, content: pictures[path]! }
      return existsSync(`${folder}/${path}`) ? { name: path, content: readFileSync(`${folder}/${path}`) } : null
    }, completeOptions(importer.options))
    const without = await imported({})
    expect(without.missing).toEqual(['urdf_tutorial/meshes/l_finger_color.png', 'urdf_tutorial/meshes/l_finger_tip_color.png'])
    expect(without.losses.filter(({ instead }) => instead === 'the colour alone')).toHaveLength(4)
    const { scene, missing, losses } = await imported({ [without.missing[0]!]: QUARTERS, [without.missing[1]!]: JPEG_HEAD })
    expect([missing, losses.filter(({ instead }) => instead === 'the colour alone')]).toEqual([[], []])
    const pictured = scene.bodies!.flatMap(({ visuals = [] }) => visuals).filter(visual => visual.type === 'mesh' && visual.texture !== undefined) as MeshVisual[]
    expect(pictured.map(({ texture }) => texture)).toEqual(['l_finger_color', 'l_finger_tip_color', 'l_finger_color', 'l_finger_tip_color'])
    expect(scene.meshes!.filter(({ uv }) => uv !== undefined).length).toBe(2)
    expect(validateScene(requireScene(scene))).toEqual(validateScene(requireScene(without.scene)))
  })
})
