import { describe, expect, it } from 'vitest'
import { sceneSchema, validateScene, type Joint, type JointType, type Scene } from '../../../../core/scene'
import { elementSchemaOf, shapeOf, variantsOf } from '../../../../renderer/fields/schema'
import { firstValue, otherVariant } from '../../../../renderer/fields/first-value'
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

describe('conditions of vertices', () => {
  const particles = variantsOf(elementSchemaOf(shapeOf(sceneSchema)!.deformables!)!)!.get('particles')!
  const behaviour = elementSchemaOf(shapeOf(particles)!.behaviours!)!
  const conditions = variantsOf(shapeOf(behaviour)!.condition!)!
  const problemsOf = (condition: unknown) => validateScene({
    ...scene, deformables: [{
      id: 'd', type: 'particles', material: 'wood', particles: [0, 1, 2, 3].map(k => ({ position: [k, k * k, k * k * k], mass: 1 })),
      behaviours: [{ condition: condition as never, stiffness: 1 }],
    }],
  }).filter(problem => problem.severity === 'error')

  it.each([...conditions.keys()])('%s begins with vertices that differ', type => {
    expect(problemsOf(firstValue(conditions.get(type)!, scene))).toEqual([])
  })

  it.each([...conditions.keys()])('a change to %s keeps the vertices, and adds others where it needs more', type => {
    const changed = otherVariant(conditions.get(type)!, { type: 'distance', vertices: [3, 1], distance: 2 }, scene) as { type: string; vertices?: number[]; vertex?: number }
    expect(changed.type).toBe(type)
    expect(problemsOf(changed)).toEqual([])
    if (changed.vertices !== undefined) expect(changed.vertices.slice(0, 2)).toEqual([3, 1].slice(0, changed.vertices.length))
  })

  it.each([...conditions.keys()].filter(type => type !== 'point'))('a change to %s keeps the vertices of other deformables', type => {
    const others = [{ type: 'vertex', deformable: 'd', vertex: 3 }]
    const changed = otherVariant(conditions.get(type)!, { type: 'angle', vertices: [1, 2], others }, scene) as { vertices: number[]; others: object[] }
    expect(changed.others).toEqual(others)
    expect(changed.vertices[0]).toBe(1)
    expect(problemsOf({ ...changed, vertices: changed.vertices.map(vertex => vertex % 3) })).toEqual([])
  })

  it('another curve keeps its centre', () => {
    const curves = variantsOf(shapeOf(conditions.get('curve')!)!.curve!)!
    expect(otherVariant(curves.get('ellipse')!, { type: 'circle', center: [1, 2, 3], normal: [0, 0, 1], radius: 2 }, scene)).toMatchObject({ type: 'ellipse', center: [1, 2, 3] })
  })
})
