import { describe, expect, it } from 'vitest'
import { sceneSchema, type Scene } from '../../../../core/scene'
import { elementSchemaOf, shapeOf, titleOfField, variantsOf } from '../../../../renderer/fields/schema'
import { titleOfItem } from '../../../../renderer/fields/item-title'

const scene: Scene = { format: 'cairn-scene', version: 1, bodies: [{ id: 'drum-1', name: 'Drum' }] }
const collection = (name: string) => elementSchemaOf(shapeOf(sceneSchema)![name]!)!
const listIn = (name: string, type: string | null, field: string) => {
  const element = collection(name)
  return elementSchemaOf(shapeOf(type === null ? element : variantsOf(element)!.get(type)!)![field]!)!
}

describe('an element of a list has the name of one, and says which it is', () => {
  it.each([
    ['an attachment by its vertex and body', 'deformables', 'rope', 'attachments', 'Attachments', { vertex: 0, body: 'drum-1' }, 'Attachment 2 · vertex 0 · Drum'],
    ['an attachment to the world', 'deformables', 'cloth', 'attachments', 'Attachments', { triangle: 7, body: null }, 'Attachment 2 · triangle 7 · World'],
    ['a body that does not exist by its id', 'deformables', 'cloth', 'attachments', 'Attachments', { triangle: 7, body: 'lost' }, 'Attachment 2 · triangle 7 · lost'],
    ['a key of a path by its time', 'bodies', null, 'path', 'Path', { time: 1.25, position: [0, 0, 1] }, 'Path key 2 · time 1.25 s'],
    ['a key of a guide by time and body', 'forces', 'guide', 'keys', 'Keys', { time: 0, body: null }, 'Key 2 · time 0 s · World'],
    ['a strand by its root', 'deformables', 'hair', 'strands', 'Strands', { body: 'drum-1', points: [] }, 'Strand 2 · Drum'],
  ])('%s', (_what, name, type, field, label, item, expected) => {
    expect(titleOfItem(listIn(name, type, field), label, item, 1, scene)).toBe(expected)
  })

  it('and so have its fields', () => {
    const body = { id: 'b', type: 'kinematic', path: [{ time: 1 }, { time: 2, position: [0, 0, 0] }] }
    expect(titleOfField(collection('bodies'), body, 'path[1].position[2]')).toBe('Path key 2 · Position z')
    expect(titleOfField(collection('bodies'), body, 'path[1].time')).toBe('Path key 2 · Time')
    expect(titleOfField(collection('deformables'), { type: 'rope', attachments: [{ vertex: 0 }] }, 'attachments[0].vertex')).toBe('Attachment 1 · Vertex')
  })
})
