/** Open surfaces of other runtimes: as they are on bodies that do not move, by their convex hull on others. */

import { describe, expect, it } from 'vitest'
import { completeOptions, formatById, type FormatFile } from '../../../../core/formats'
import { parseScene, type Scene } from '../../../../core/scene'
import { recorded } from '../../../verification/support'

/** A gutter of three flat sides along y, its bottom at z = 0. */
const POINTS = [[-1.5, -1, 1], [-0.5, -1, 0], [0.5, -1, 0], [1.5, -1, 1], [-1.5, 1, 1], [-0.5, 1, 0], [0.5, 1, 0], [1.5, 1, 1]] as const
const FACES = [[0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6]] as const

const usda = (moves: boolean) => `#usda 1.0
( upAxis = "Z"
  metersPerUnit = 1 )
def Xform "World" {
  def Mesh "Gutter" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"${moves ? ', "PhysicsRigidBodyAPI"' : ''}] ) {
    point3f[] points = [${POINTS.map(p => `(${p.join(', ')})`).join(', ')}]
    int[] faceVertexCounts = [4, 4, 4]
    int[] faceVertexIndices = [${FACES.flat().join(', ')}]
    uniform token physics:approximation = "none"
  }
}
`
const OBJ = `${POINTS.map(p => `v ${p.join(' ')}`).join('\n')}\n${FACES.map(face => `f ${face.map(v => v + 1).join(' ')}`).join('\n')}\n`
const sdf = (moves: boolean) => `<sdf version="1.9"><model name="gutter"><static>${!moves}</static><link name="link">
  <collision name="c"><geometry><mesh><uri>gutter.obj</uri></mesh></geometry></collision></link></model></sdf>`

async function imported(format: 'usda' | 'sdf', moves: boolean) {
  const { importer } = formatById(format)!
  const files: FormatFile[] = [{ name: 'gutter.obj', content: OBJ }]
  const content = format === 'usda' ? usda(moves) : sdf(moves)
  return importer!.run({ name: `scene.${format}`, content }, path => files.find(({ name }) => name === path) ?? null, completeOptions(importer!.options))
}

describe.each(['usda', 'sdf'] as const)('an open surface in %s', format => {
  it('is kept as it is where nothing moves it: a ball falls into it and rests on its bottom', async () => {
    const { scene, losses } = await imported(format, false)
    expect(losses).toEqual([])
    expect(scene.bodies![0]).toMatchObject({ type: 'fixed', shapes: [{ type: 'mesh', pieces: { length: 3 } }] })
    const material = scene.bodies![0]!.shapes![0]!.material
    const whole: Scene = {
      ...scene, bodies: [...scene.bodies!, { id: 'ball', position: [0, 0, 0.7], shapes: [{ type: 'sphere', radius: 0.3, material }] }],
      simulation: { duration: 1.5, outputRate: 10, method: 'time-stepping' },
    }
    expect(parseScene(whole).ok).toBe(true)
    const { frames, end } = recorded(whole)
    expect(end.status).toBe('completed')
    const last = frames.at(-1)!.bodies
    expect(last[last.length - 13 + 2]).toBeCloseTo(0.3, 3)
  })

  it('is its convex hull on a body that moves, which is listed', async () => {
    const { scene, losses } = await imported(format, true)
    expect(scene.bodies![0]!.shapes![0]!.type).toBe('convexHull')
    expect(losses.map(({ message, instead }) => `${message}; ${instead}`)).toContain('a surface that is not closed encloses no solid; its convex hull')
  })
})
