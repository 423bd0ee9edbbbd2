import { describe, expect, it } from 'vitest'
import { sceneSchema } from '../../../../core/scene'
import { elementSchemaOf, shapeOf, variantsOf } from '../../../../renderer/fields/schema'
import { parseCells, pasteCells, tableOf, tripleTable } from '../../../../renderer/fields/table-rows'

const keys = shapeOf(variantsOf(elementSchemaOf(shapeOf(sceneSchema)!.forces!)!)!.get('keyframed')!)!.keys!

describe('keys of a force as a table', () => {
  const table = tableOf(keys)!
  it('have one column for each number, with units', () => {
    expect(table.columns.map(({ label }) => label)).toEqual(['Time', 'Force x', 'Force y', 'Force z', 'Torque x', 'Torque y', 'Torque z'])
    expect(table.columns[0]!.unit).toBe('s')
    expect(table.columns[1]!.unit).toBe('N')
  })

  it('convert back to keys; omitted values are the default', () => {
    expect(table.rowOf({ time: 0.5, force: [1, 2, 3] })).toEqual([0.5, 1, 2, 3, 0, 0, 0])
    expect(table.itemOf([0.5, 1, 2, 3, 0, 0, 4])).toEqual({ time: 0.5, force: [1, 2, 3], torque: [0, 0, 4] })
  })

  it('are distinguished from other lists', () => {
    expect(tableOf(shapeOf(sceneSchema)!.bodies!)).toBeNull()
    expect(tableOf(shapeOf(sceneSchema)!.gravity!)).toBeNull()
  })
})

it('faces with different numbers of vertices are not a table', () => {
  expect(tripleTable([[0, 1, 2], [0, 1, 2, 3]], '', true)).toBeNull()
  expect(tripleTable([[0, 1, 2]], '', true)!.columns).toHaveLength(3)
})

describe('a pasted range', () => {
  it.each([['1\t2\n3\t4', [[1, 2], [3, 4]]], ['1, 2\r\n3; 4\n', [[1, 2], [3, 4]]], ['1 2', [[1, 2]]], ['-1e-3', [[-0.001]]]])('%j is read as cells', (text, cells) => {
    expect(parseCells(text)).toEqual(cells)
  })
  it.each(['1\tx', '', 'a b', '1,,2'])('%j is refused or leaves a gap', text => {
    // An empty cell between two commas must not become 0.
    expect(parseCells(text)).toBeNull()
  })
  it('fills the table from its cell, and adds rows but no columns', () => {
    expect(pasteCells([[0, 0, 0], [1, 1, 1]], [[7, 8, 9], [5, 6]], 1, 1)).toEqual([[0, 0, 0], [1, 7, 8], [1, 5, 6]])
  })
})
