import type { Series } from '../../main/protocol/runs'

/** Series on one time axis: the union of their times, null if a series has no value at a time. */
export function chartData(series: readonly Series[]): (readonly (number | null)[] | Float64Array)[] {
  const [first] = series
  if (!first) return [[]]
  const same = series.every(one => one.time.length === first.time.length && one.time.every((t, i) => t === first.time[i]))
  if (same) return [first.time, ...series.map(one => Array.from(one.values, finite))]
  const times = [...new Set(series.flatMap(one => [...one.time]))].sort((a, b) => a - b)
  return [times, ...series.map(one => {
    const values = new Map(Array.from(one.time, (t, i) => [t, one.values[i]!] as const))
    return times.map(t => finite(values.get(t) ?? NaN))
  })]
}

const finite = (value: number) => Number.isFinite(value) ? value : null

/** The series as CSV with full precision; labels with commas and quotes are quoted. */
export function chartCsv(series: readonly Series[]): string {
  const [times = [], ...columns] = chartData(series)
  const quoted = (text: string) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  const head = ['time [s]', ...series.map(one => quoted(one.unit ? `${one.label} [${one.unit}]` : one.label))].join(',')
  const rows = Array.from(times, (t, i) => [t, ...columns.map(column => column[i] ?? '')].join(','))
  return `${[head, ...rows].join('\n')}\n`
}

/** A chart over another quantity as CSV: time, each run's values on the horizontal axis, and the curves. */
export function phaseCsv(series: readonly (Series & { readonly run: number; readonly against: Series | null })[]): string {
  const runs = [...new Set(series.map(one => one.run))]
  return chartCsv(runs.flatMap(run => {
    const own = series.filter(one => one.run === run)
    const title = own[0]!.label.split(' · ').slice(1).join(' · ')
    const against = own[0]!.against
    return [...against ? [{ ...against, label: title === '' ? against.label : `${against.label} · ${title}` }] : [], ...own]
  }))
}
