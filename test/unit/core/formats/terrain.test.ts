import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../../core/formats'
import { readTerrain } from '../../../../core/formats/terrain'
import { box, recorded, sceneOf } from '../../../verification/support'

const read = (text: string) => readTerrain('hill.csv', new TextEncoder().encode(text))

describe('a table of heights', () => {
  it('is a solid whose surface has those heights, the first row at the greatest y', () => {
    const { solid, size } = read('# a comment\n1 2\n3, 5\n0;0\n')
    expect(size).toEqual([2, 4])
    const top = (x: number, y: number) => Math.max(...solid.vertices.filter(p => p[0] === x && p[1] === y).map(p => p[2]))
    expect([top(-1, 2), top(1, 2), top(-1, 0), top(1, 0), top(-1, -2), top(1, -2)]).toEqual([1, 2, 3, 5, 0, 0])
  })

  it.each([['1 2\n3 x', 'hill.csv, line 2'], ['1 2\n3', 'hill.csv, line 2'], ['1 2', 'hill.csv']])('%j is refused with its place', (text, place) => {
    let error: unknown
    try {
      read(text)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(FormatError)
    expect((error as FormatError).path).toBe(place)
  })

  it('lets a box slide over a flat slope, whose cells are one column', () => {
    // A plane of slope 1 : 4 in three columns of cells.
    const { solid } = read('0 0.25 0.5 0.75\n0 0.25 0.5 0.75\n0 0.25 0.5 0.75\n0 0.25 0.5 0.75')
    const slope = Math.atan2(0.25, 4 / 3)
    const [s, c] = [Math.sin(-slope / 2), Math.cos(-slope / 2)]
    const middle = [0.3 - 0.1 * Math.sin(slope), 0, 0.375 + 0.3 * Math.tan(slope) + 0.1 * Math.cos(slope)] as [number, number, number]
    const scene = sceneOf([
      { id: 'terrain', type: 'fixed', shapes: [{ type: 'mesh', ...solid, material: 'stone' }] },
      box('box', [0.2, 0.2, 0.2], middle, { orientation: [0, s, 0, c] }),
    ], 0.1, { duration: 1, outputRate: 10, method: 'time-stepping' })
    const run = recorded(scene)
    const [first, last] = [run.frames[0]!.bodies, run.frames.at(-1)!.bodies]
    const g = 9.81 * (Math.sin(slope) - 0.1 * Math.cos(slope))
    const body = last.length - 13
    // Friction of each step acts over the whole step.
    expect(Math.hypot(last[body]! - first[body]!, last[body + 2]! - first[body + 2]!)).toBeCloseTo(g / 2, 1)
    expect(run.end.status).toBe('completed')
  })
})
