import { describe, expect, it } from 'vitest'
import { sceneSchema, validateScene, type Joint, type JointType, type Scene } from '../../../../core/scene'
import { elementSchemaOf, shapeOf, variantsOf } from '../../../../renderer/fields/schema'
import { firstValue } from '../../../../renderer/fields/first-value'
import { setAt } from '../../../../renderer/state/set-at'

const scene: Scene = {
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood' }],
  bodies: [{ id: 'a', shapes: [{ type: 'box', size: [1, 1, 1], material: 'wood' }] }, { id: 'b', position: [2, 0, 0], shapes: [{ type: 'sphere', radius: 1, material: 'wood' }] }],
}

const jointsSchema = variantsOf(elementSchemaOf(shapeOf(sceneSchema)!.joints!)!)!

describe('adding an optional part', () => {
  it.each([['hinge', 'limits'], ['hinge', 'motor'], ['slider', 'limits'], ['slider', 'motor']] as const)('gives a %s valid %s', (type, key) => {
    const joint = { id: 'j', type, bodyA: 'a', bodyB: 'b', anchor: [1, 0, 0], axis: [0, 0, 1] } as Joint
    setAt(joint, [key], firstValue(shapeOf(jointsSchema.get(type as JointType)!)![key]!, scene))
    expect(validateScene({ ...scene, joints: [joint] }).filter(problem => problem.severity === 'error')).toEqual([])
  })

  it('gives a motor that turns', () => {
    const motor = firstValue(shapeOf(jointsSchema.get('hinge')!)!.motor!, scene) as { targetVelocity: number; maxForce: number }
    expect(Math.min(motor.targetVelocity, motor.maxForce)).toBeGreaterThan(0)
  })

  it('gives a body a mass that stands on its own', () => {
    const bodySchema = elementSchemaOf(shapeOf(sceneSchema)!.bodies!)!
    const mass = firstValue(shapeOf(bodySchema)!.mass!, scene)
    expect(validateScene({ ...scene, bodies: [{ ...scene.bodies![0]!, mass: mass as object }, scene.bodies![1]!] }).filter(problem => problem.severity === 'error')).toEqual([])
  })
})
