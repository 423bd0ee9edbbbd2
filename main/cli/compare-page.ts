/** A comparison as one self-contained page of HTML, without external scripts, style sheets or fonts. */
import { shortNumber } from '../../core/math/short-number'
import { quantities, quantityUnits, type Differences, type UnmatchedEvent, type Quantity } from '../engine/compare'
import { divergenceText } from './compare-text'

/** Maximum number of points of a curve; each interval keeps its largest value. */
const mostPoints = 800
const [width, height, left, bottom] = [860, 180, 70, 26] as const
/** Maximum number of events on the page. */
const mostEvents = 200

const style = `body{font:14px/1.45 system-ui,sans-serif;max-width:960px;margin:24px auto;padding:0 16px;color:#1d2530;background:#fff}
h1{font-size:20px}h2{font-size:15px;margin:22px 0 6px}table{border-collapse:collapse}td,th{padding:2px 12px 2px 0;text-align:left;vertical-align:top}
th{color:#5a6675;font-weight:500}.equal{color:#00785a}.different{color:#b3400b}svg{display:block}text{font:11px system-ui,sans-serif;fill:#5a6675}
@media(prefers-color-scheme:dark){body{background:#171c22;color:#dde3ea}th,text{color:#93a0af;fill:#93a0af}.equal{color:#2fc39b}.different{color:#ff9a5c}}`

export function comparisonPage(found: Differences, [a, b]: readonly [string, string]): string {
  const { first, second, worst, events, bodies, series } = found
  const verdict = found.equal ? '<p class="equal">Equal within the tolerance.</p>' : `<p class="different">Different: ${escape(divergenceText(found.divergence!))}.</p>`
  const facts: readonly (readonly [string, (run: typeof first) => string | number])[] = [
    ['scene', run => run.scene], ['scene hash', run => run.sceneHash.slice(0, 16)], ['engine', run => run.engine], ['method', run => run.method],
    ['frames', run => run.frames], ['until, s', run => run.until], ['whole', run => (run.complete ? 'yes' : 'cut off')],
  ]
  const rows = facts.map(([name, of]) => row([name, of(first), of(second)]))
  const largest = quantities.map(quantity => {
    const { difference, of, time } = worst[quantity]
    return row([quantity, `${shortNumber(difference)} ${quantityUnits[quantity]}`, of, difference > 0 ? `${time} s` : '', toleranceText(found, quantity)])
  })
  const apart = bodies.slice(0, 50).map(({ body, position, rotation, time, since }) => (
    row([body, `${shortNumber(position)} m`, `${shortNumber(rotation)} rad`, `${time} s`, since === null ? '' : `${since} s`])))
  const lone = (title: string, list: readonly UnmatchedEvent[], count: number) => (count === 0 ? '' : `<h2>${title}: ${count}</h2>${table(['time, s', 'kind', 'bodies'], list
    .slice(0, mostEvents).map(({ time, kind, bodies: of, joint }) => row([time, kind, joint ?? of.join(' – ')])))}`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Comparison of two runs</title><style>${style}</style></head><body>
<h1>Comparison of two runs</h1>
${verdict}
${table(['', escape(a), escape(b)], rows)}
<h2>Largest differences</h2>
${table(['quantity', 'difference', 'of', 'at', 'tolerance'], largest)}
${quantities.map(quantity => `<h2>Difference in ${quantity}, ${quantityUnits[quantity]}</h2>${curve(series.time, series[quantity], found.tolerances[quantity], quantity)}`).join('\n')}
${apart.length === 0 ? '' : `<h2>Bodies</h2>${table(['body', 'farthest', 'turned', 'at', 'apart since'], apart)}`}
<h2>Events</h2>
<p>${events.matched} in both runs within ${shortNumber(events.window)} s of each other, at most ${shortNumber(events.largestShift)} s apart.</p>
${lone('Only in the first run', events.onlyFirst, events.onlyFirstCount)}
${lone('Only in the second run', events.onlySecond, events.onlySecondCount)}
</body></html>
`
}

function toleranceText({ tolerances }: Differences, quantity: Quantity): string {
  return tolerances[quantity] === undefined ? 'not judged' : shortNumber(tolerances[quantity])
}

const row = (cells: readonly (string | number)[]) => `<tr>${cells.map(cell => `<td>${escape(String(cell))}</td>`).join('')}</tr>`
const table = (head: readonly string[], rows: readonly string[]) => `<table><tr>${head.map(name => `<th>${name}</th>`).join('')}</tr>${rows.join('')}</table>`

/** On a logarithmic scale: differences grow by orders of magnitude. Exact zeros have no point. */
function curve(time: readonly number[], values: readonly number[], tolerance: number | undefined, label: string): string {
  const points = thinned(time, values).filter(([, value]) => value > 0)
  if (points.length === 0) return '<p>None.</p>'
  const logs = [...points.map(([, value]) => Math.log10(value)), ...(tolerance !== undefined && tolerance > 0 ? [Math.log10(tolerance)] : [])]
  const [low, high] = [Math.floor(Math.min(...logs)), Math.max(Math.ceil(Math.max(...logs)), Math.floor(Math.min(...logs)) + 1)]
  const [from, to] = [time[0]!, Math.max(time.at(-1)!, time[0]! + 1e-12)]
  const x = (t: number) => left + (width - left - 10) * (t - from) / (to - from)
  const y = (value: number) => 8 + (height - bottom - 8) * (high - Math.log10(value)) / (high - low)
  const step = Math.max(1, Math.ceil((high - low) / 6))
  const decades = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, k) => low + k * step)
  const lines = decades.map(decade => {
    const at = y(Number(`1e${decade}`)).toFixed(1)
    return `<line x1="${left}" x2="${width - 10}" y1="${at}" y2="${at}" stroke="#8886" /><text x="${left - 6}" y="${at}" text-anchor="end" dominant-baseline="middle">1e${decade}</text>`
  })
  const seconds = [from, (from + to) / 2, to].map(t => `<text x="${x(t).toFixed(1)}" y="${height - 8}" text-anchor="middle">${shortNumber(t, 4)} s</text>`)
  const limit = tolerance !== undefined && tolerance > 0
    ? `<line x1="${left}" x2="${width - 10}" y1="${y(tolerance).toFixed(1)}" y2="${y(tolerance).toFixed(1)}" stroke="#c24a00" stroke-dasharray="5 4" />` : ''
  const drawn = points.map(([t, value]) => `${x(t).toFixed(1)},${y(value).toFixed(1)}`)
  const dots = points.length < 3 ? drawn.map(place => `<circle cx="${place.split(',')[0]}" cy="${place.split(',')[1]}" r="3" fill="#0072b2" />`).join('') : ''
  return `<svg viewBox="0 0 ${width} ${height}" width="100%" role="img" aria-label="Difference in ${label} over time">${lines.join('')}${limit}${seconds.join('')}<polyline points="${drawn.join(' ')}" fill="none" stroke="#0072b2" stroke-width="1.5" />${dots}</svg>`
}

function thinned(time: readonly number[], values: readonly number[]): [number, number][] {
  const step = Math.max(1, Math.ceil(time.length / mostPoints))
  const points: [number, number][] = []
  for (let from = 0; from < time.length; from += step) {
    let best = from
    for (let k = from; k < Math.min(from + step, time.length); k++) if (values[k]! > values[best]!) best = k
    points.push([time[best]!, values[best]!])
  }
  return points
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
