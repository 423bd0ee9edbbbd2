/** Textures are reported with their file, and the colour is kept. */

import { expect, it } from 'vitest'
import { completeOptions, formatById } from '../../../../core/formats'

const gltf = {
  asset: { version: '2.0' }, extensionsUsed: ['KHR_physics_rigid_bodies'], nodes: [{ extensions: { KHR_physics_rigid_bodies: { motion: { mass: 1 }, collider: { geometry: { shape: 0 } } } } }],
  scenes: [{ nodes: [0] }], materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }, {}], textures: [{ source: 0 }], images: [{ uri: 'bark.png' }],
  extensions: { KHR_implicit_shapes: { shapes: [{ type: 'sphere', sphere: { radius: 1 } }] } },
}

it.each([
  ['mjcf', 'a.xml', '<mujoco><asset><texture name="t" type="2d" file="bark.png"/><material name="m" texture="t"/></asset><worldbody><body><freejoint/><geom size="1" material="m"/></body></worldbody></mujoco>'],
  ['urdf', 'a.urdf', '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><sphere radius="1"/></geometry>'
    + '<material name="m"><texture filename="bark.png"/></material></visual></link></robot>'],
  ['sdf', 'a.sdf', '<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry><material><pbr><metal><albedo_map>bark.png</albedo_map>'
    + '</metal></pbr></material></visual></link></model></sdf>'],
  ['gltf', 'a.gltf', JSON.stringify(gltf)],
  ['usda', 'a.usda', '#usda 1.0\ndef Sphere "s" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}\n'
    + 'def Shader "t" { uniform token info:id = "UsdUVTexture"\n asset inputs:file = @bark.png@ }'],
])('%s', async (format, name, content) => {
  const { importer } = formatById(format)!
  const { losses } = await importer!.run({ name, content }, () => null, completeOptions(importer!.options))
  const told = losses.filter(({ message }) => message.includes('texture'))
  expect(told).toHaveLength(1)
  expect(told[0]).toMatchObject({ message: 'a texture, "bark.png"', instead: 'the colour alone' })
})

const TRIANGLE = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'
const DAE = '<COLLADA version="1.4.1"><library_images><image id="i"><init_from>bark.png</init_from></image></library_images><library_geometries><geometry id="g"><mesh>'
  + '<source id="p"><float_array id="a" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common><accessor source="#a" count="3" stride="3"/></technique_common></source>'
  + '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry></library_geometries></COLLADA>'
const urdf = (file: string, material = '') => '<robot name="r"><link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
  + `<visual><geometry><mesh filename="${file}"/></geometry>${material}</visual><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>`
const sdf = (file: string) => `<sdf version="1.9"><model name="m"><link name="l"><visual name="v"><geometry><mesh><uri>${file}</uri></mesh></geometry></visual></link></model></sdf>`

it.each([
  ['urdf', 'OBJ with materials', urdf('a.obj'), `mtllib a.mtl\n${TRIANGLE}usemtl red\nf 1 2 3\n`, 'the materials of its MTL file'],
  ['urdf', 'COLLADA with a texture', urdf('a.dae'), DAE, 'its materials and textures'],
  ['sdf', 'OBJ with materials', sdf('a.obj'), `${TRIANGLE}usemtl red\nf 1 2 3\n`, 'the materials of its MTL file'],
  ['urdf', 'OBJ without materials', urdf('a.obj'), `${TRIANGLE}f 1 2 3\n`, null],
  ['urdf', 'a visual with a colour, which takes the place of the file\'s', urdf('a.obj', '<material name="m"><color rgba="1 0 0 1"/></material>'), `${TRIANGLE}usemtl red\nf 1 2 3\n`, null],
])('%s: the appearance in a mesh file is reported: %s', async (format, _, content, mesh, told) => {
  const { importer } = formatById(format)!
  const files = (path: string) => /a\.(obj|dae)$/.test(path) ? { name: path, content: mesh } : null
  const { losses, scene } = await importer!.run({ name: `r.${format}`, content }, files, completeOptions(importer!.options))
  expect(scene.bodies!.some(({ visuals }) => visuals?.length === 1)).toBe(true)
  expect(losses.filter(({ instead }) => instead === 'one colour for the whole mesh').map(({ message }) => message)).toEqual(told === null ? [] : [told])
})
