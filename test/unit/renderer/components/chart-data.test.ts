import { describe, expect, it } from 'vitest'
import { chartCsv, chartData } from '../../../../renderer/components/chart-data'

const series = (label: string, time: number[], values: number[], unit = 'N') => ({ label, unit, time: Float64Array.from(time), values: Float64Array.from(values) })

describe('the data of a chart', () => {
  it('has a gap where an object does not exist', () => {
    expect(chartData([series('a', [0, 1, 2], [1, NaN, 3])])[1]).toEqual([1, null, 3])
  })

  it('joins series of different times', () => {
    const [time, a, b] = chartData([series('a', [0, 2], [1, 3]), series('b', [1, 2], [5, 6])])
    expect(time).toEqual([0, 1, 2])
    expect(a).toEqual([1, null, 3])
    expect(b).toEqual([null, 5, 6])
  })

  it('is exported with every digit and quoted labels', () => {
    expect(chartCsv([series('force, on "a"', [0, 0.1], [1 / 3, NaN])])).toBe(`time [s],"force, on ""a"" [N]"\n0,${1 / 3}\n0.1,\n`)
  })
})
