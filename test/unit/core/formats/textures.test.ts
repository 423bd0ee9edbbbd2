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
