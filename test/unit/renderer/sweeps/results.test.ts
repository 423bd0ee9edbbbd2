/** Results of a sweep as columns and heat maps. */
import { describe, expect, it } from 'vitest'
import type { SweepInfo, SweepResult } from '../../../../main/protocol/sweeps'
import { columnsOf, distinct, selectedResults } from '../../../../renderer/sweeps/columns'
import { heatMap } from '../../../../renderer/sweeps/heat-map'

const info: SweepInfo = {
  id: 's', name: 'Slope', state: 'completed', createdAt: 0, problem: null, contentHash: 'c', progress: { total: 8, done: 8, failed: 0, running: 0, rate: null, timeLeft: null },
  parameters: [{ name: 'mu', paths: ['materials.stone.friction.static'] }, { name: 'angle', paths: [] }, { name: 'method', paths: ['simulation.method'] }], measures: [{ name: 'x', text: 'x' }],
}
const result = (run: number, values: readonly unknown[], measure: number | null): SweepResult => ({
  values, row: { run, status: 'completed', reason: '', message: '', sceneHash: '', finalHash: '', simulatedTime: 1, frames: 1, steps: 1, measures: [measure], kept: '', wallTime: 0.1 },
})
const results = [0.1, 0.2].flatMap((mu, i) => [10, 20].flatMap((angle, j) => ['a', 'b'].map((method, k) => result(4 * i + 2 * j + k, [mu, angle, method], method === 'a' ? mu * angle : i === 1 && j === 1 ? null : 0))))
const columns = columnsOf(info, results, path => path === 'simulation.method' ? '' : 'unit')
const column = (name: string) => columns.find(one => one.name === name)!

describe('columns of results', () => {
  it('have the units of their paths, and are numbers or texts', () => {
    expect(column('mu')).toMatchObject({ unit: 'unit', numeric: true, kind: 'parameter' })
    expect(column('angle').unit).toBe('')
    expect(column('method').numeric).toBe(false)
    expect(distinct(column('method'))).toEqual(['a', 'b'])
    expect(column('x').cells.filter(cell => cell === null)).toHaveLength(1)
  })

  it('are filtered by values', () => {
    expect(selectedResults(columns, new Map<string, number | string>([['p0', 0.2], ['p2', 'a']])).map(k => results[k]!.row.run)).toEqual([4, 6])
  })
})

describe('a heat map', () => {
  const all = results.map((_, k) => k)
  it('has a cell for each pair of values, with the mean of its runs that have a result', () => {
    const map = heatMap(column('mu'), column('angle'), column('x'), all)
    expect(map.cells).toHaveLength(4)
    const cell = (x: number, y: number) => map.cells.find(one => one.x === x && one.y === y)!
    expect(cell(0, 0)).toMatchObject({ mean: 0.5, results: [0, 1] })
    expect(cell(1, 1).mean).toBe(4) // one of its two has no value
    expect([map.low, map.high]).toEqual([0.5, 4])
  })

  it('puts samples into bins', () => {
    const samples = Array.from({ length: 1000 }, (_, k) => result(k, [k / 999, (k * 617 % 1000) / 999, 'a'], 1))
    const sampled = columnsOf(info, samples, () => '')
    const map = heatMap(sampled[1]!, sampled[2]!, sampled[4]!, samples.map((_, k) => k))
    expect([map.x.labels.length, map.y.labels.length]).toEqual([32, 32])
    expect(map.cells.reduce((sum, { results: of }) => sum + of.length, 0)).toBe(1000)
  })
})
