/** PEG17's figures 21 and 22 (two dimensions), 24 and 25 (three) as SVG: overlap against step size, contacts and traps against time. */

import type { PouringRun } from './run'

const WIDTH = 720
const HEIGHT = 420
const LEFT = 76
const RIGHT = 20
const TOP = 44
const BOTTOM = 52
const COLORS: Readonly<Record<string, string>> = { standard: '#c2410c', peg: '#1d4ed8', 'half-spaces': '#15803d', 'locally-nonconvex': '#7e22ce', 'peg+slack': '#0e7490' }

/** Mean of numbers; NaN for an empty list. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.length === 0 ? NaN : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

/** Mean of the overlap after every step, and the largest, dashed, one pair of curves a model; zero lies on the axis, below the smallest decade that is drawn. */
export function overlapFigure(runs: readonly PouringRun[]): string {
  const models = [...new Set(runs.map(({ model }) => model))]
  const steps = [...new Set(runs.map(({ step }) => step))].sort((a, b) => a - b)
  const rows = models.map(model => steps.flatMap(step => {
    const values = runs.filter(run => run.model === model && run.step === step).flatMap(({ overlap }) => overlap)
    return values.length === 0 ? [] : [{ step, mean: values.reduce((sum, value) => sum + value, 0) / values.length, most: Math.max(...values) }]
  }))
  const least = -18
  const most = Math.max(-6, ...rows.flat().map(point => point.most > 0 ? Math.ceil(Math.log10(point.most)) : least))
  const x = (step: number): number => LEFT + (WIDTH - LEFT - RIGHT) * step / Math.max(...steps)
  const y = (volume: number): number => {
    const decade = volume > 0 ? Math.max(least, Math.log10(volume)) : least
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (decade - least) / (most - least)
  }
  const grid: string[] = []
  for (let decade = least; decade <= most; decade += 2) {
    grid.push(line(LEFT, y(10 ** decade), WIDTH - RIGHT, y(10 ** decade), '#e5e7eb'), text(LEFT - 8, y(10 ** decade) + 4, decade === least ? '0' : `1e${decade}`, 'end'))
  }
  const curves = rows.flatMap((points, k) => {
    const color = COLORS[models[k]!] ?? '#111827'
    const curve = (of: 'mean' | 'most', look: string): string =>
      `<polyline points="${points.map(p => `${x(p.step)},${y(p[of])}`).join(' ')}" fill="none" stroke="${color}" ${look}/>`
    return [
      curve('most', 'stroke-dasharray="5 4"'), curve('mean', 'stroke-width="2"'),
      ...points.map(p => `<circle cx="${x(p.step)}" cy="${y(p.mean)}" r="3" fill="${color}"/>`),
    ]
  })
  const marks = steps.map(step => text(x(step), HEIGHT - BOTTOM + 18, (1000 * step).toFixed(0), 'middle'))
  return page(`${runs[0]?.dimensions === 2 ? 'Overlap area after every step, m²' : 'Overlap volume after every step, m³'} (mean; largest dashed)`, 'step, ms', [...grid, ...curves, ...marks, ...legend(models)])
}

/** Contacts and traps after every step of one run. */
export function contactsFigure(run: PouringRun): string {
  const most = Math.max(1, ...run.contacts, ...run.traps)
  const x = (k: number): number => LEFT + (WIDTH - LEFT - RIGHT) * k / Math.max(1, run.contacts.length - 1)
  const y = (count: number): number => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / most
  const curve = (values: readonly number[], color: string): string =>
    `<polyline points="${values.map((value, k) => `${x(k)},${y(value)}`).join(' ')}" fill="none" stroke="${color}" stroke-width="1.2"/>`
  const grid = Array.from({ length: 6 }, (_, k) => most * k / 5).flatMap(count => [
    line(LEFT, y(count), WIDTH - RIGHT, y(count), '#e5e7eb'), text(LEFT - 8, y(count) + 4, count.toFixed(0), 'end'),
  ])
  const seconds = Array.from({ length: Math.floor(run.duration) + 1 }, (_, s) =>
    text(LEFT + (WIDTH - LEFT - RIGHT) * s / run.duration, HEIGHT - BOTTOM + 18, String(s), 'middle'))
  return page(`Contacts and standard-model traps, step ${(1000 * run.step).toFixed(0)} ms, seed ${run.seed}`, 'time, s', [
    ...grid, curve(run.contacts, '#1d4ed8'), curve(run.traps, '#c2410c'), ...seconds,
    text(WIDTH - RIGHT - 150, TOP + 14, 'contacts', 'start', '#1d4ed8'), text(WIDTH - RIGHT - 70, TOP + 14, 'traps', 'start', '#c2410c'),
  ])
}

function page(title: string, axis: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`, text(LEFT, 24, title, 'start', '#111827', 15), ...parts,
    line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, '#374151'), line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, '#374151'),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, axis, 'middle'), '</svg>', '',
  ].join('\n')
}

function legend(models: readonly string[]): string[] {
  return models.map((model, k) => text(WIDTH - RIGHT - 120 * (models.length - k), TOP - 4, model, 'start', COLORS[model] ?? '#111827'))
}

function line(x1: number, y1: number, x2: number, y2: number, color: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${color}"/>`
}

function text(x: number, y: number, content: string, anchor: string, color = '#374151', size = 12): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${color}" font-size="${size}">${content}</text>`
}
