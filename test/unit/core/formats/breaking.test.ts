/** Breakable joints in USD: their break forces survive a round trip, also in the file's own units. */

import { expect, it } from 'vitest'
import { completeOptions, formatById, type ImportResult } from '../../../../core/formats'
import { requireScene, resolveScene, type Scene } from '../../../../core/scene'

const { exporter, importer } = formatById('usda')!
const back = (content: string): ImportResult | Promise<ImportResult> => importer!.run({ name: 'a.usda', content }, () => null, completeOptions(importer!.options))

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'stuff' }],
  bodies: [{ id: 'sign', position: [1, 0, 0], shapes: [{ type: 'box', size: [1, 0.1, 0.2], material: 'stuff' }] }],
  joints: [
    { id: 'nail', name: 'A nail', type: 'fixed', bodyA: 'sign', bodyB: null, anchor: [0.5, 0, 0], breakForce: 250, breakTorque: 12.5 },
    { id: 'rod', type: 'distance', bodyA: 'sign', bodyB: null, anchor: [1, 0, 0], anchorB: [1, 0, 2], length: 2, breakForce: 40 },
  ],
}

it('keep their break forces and names in a round trip', async () => {
  const { files, losses } = await exporter!.run(resolveScene(requireScene(scene)), 'sign', completeOptions(exporter!.options))
  expect(losses.filter(({ path }) => path.startsWith('joints'))).toEqual([])
  const { scene: found } = await back(files[0]!.content as string)
  expect(found.joints).toMatchObject([{ id: 'nail', name: 'A nail', breakForce: 250, breakTorque: 12.5 }, { id: 'rod', breakForce: 40 }])
  expect(found.joints![1]).not.toHaveProperty('breakTorque')
})

it('are written in the units of the stage: centimetres and grams', async () => {
  const text = (more: string): string => `#usda 1.0
(
    metersPerUnit = 0.01
    kilogramsPerUnit = 0.001
    upAxis = "Z"
)
def Cube "Box" (
    prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]
)
{
    double size = 10
}
def PhysicsFixedJoint "Nail"
{
    rel physics:body1 = </Box>
    ${more}
}
`
  const strong = await back(text('float physics:breakForce = 5e6\n    float physics:breakTorque = 3e7'))
  const [nail] = strong.scene.joints as { breakForce: number; breakTorque: number }[]
  expect(nail!.breakForce).toBeCloseTo(50, 10)
  expect(nail!.breakTorque).toBeCloseTo(3, 10)
  const weak = await back(text('float physics:breakForce = -1'))
  expect(weak.losses).toContainEqual({ path: '/Nail', message: 'its breakForce is -1', instead: 'a joint that does not break' })
  expect(weak.scene.joints![0]).not.toHaveProperty('breakForce')
})
