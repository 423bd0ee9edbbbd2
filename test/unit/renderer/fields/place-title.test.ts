import { describe, expect, it } from 'vitest'
import type { Scene } from '../../../../core/scene'
import { titleOfPlace } from '../../../../renderer/fields/place-title'

describe('a place of the scene in words', () => {
  const scene: Scene = {
    format: 'cairn-scene', version: 1, materials: [{ id: 'oak', name: 'Oak', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
    bodies: [{ id: 'crate', name: 'Crate', position: [0, 0, 1], shapes: [{ type: 'box', size: [1, 1, 1], material: 'oak' }] }, { id: 'bare' }],
  }
  it.each([
    ['materials[0].friction.dynamic', 'Oak · Friction · Dynamic friction'],
    ['bodies[0]', 'Crate'],
    ['bodies[0].position[2]', 'Crate · Position z'],
    ['bodies[0].shapes[0].size', 'Crate · Shape 1 · Size'],
    ['bodies[1].linearVelocity', 'bare · Linear velocity'],
    ['bodies[].name', 'Bodies · Name'],
    ['joints[].name', 'Joints · Name'],
    ['forces[].stiffness', 'Forces · Stiffness'],
    ['simulation.duration', 'Simulation · Duration'],
    ['bodies[7].position', 'bodies[7].position'],
    ['worldbody/body[2]', 'worldbody/body[2]'],
  ])('%s is %s', (path, title) => {
    expect(titleOfPlace(path, scene)).toBe(title)
  })
})
