/** The error–time plane: one error and one cost for each run, and Cairn's position among the engines. */

import { CAIRN, type Row } from './run'

type Metrics = Readonly<Record<string, unknown>>

/** By `analysis.type`: the error shown, its name, and whether the outcome of the run is right. */
const MEASURES: Readonly<Record<string, { readonly error: string, readonly of: (m: Metrics) => number | null, readonly right: (m: Metrics) => boolean }>> = {
  bounce: { error: 'worst apex height error', of: m => abs(m.maxApexHeightErrorRel), right: m => Number(m.maxApexHeightErrorRel) < 1 },
  incline: {
    error: 'distance error (relative, or m where it should rest)', of: m => abs(m.relativeError ?? m.distance),
    right: m => Number(abs(m.relativeError ?? m.distance)) < 0.5,
  },
  freeRotation: {
    error: 'energy or momentum error, the worse', of: m => Math.max(abs(m.maxEnergyErrorRel) ?? Infinity, abs(m.maxMomentumErrorRel) ?? Infinity),
    right: m => m.flips === m.idealFlips,
  },
  rest: {
    error: 'depth, sinking or drift, the worst, m',
    of: m => Math.max(...[m.maxDepthEver, m.finalMaxDepth, m.maxSink, m.maxHorizontalDrift].map(x => abs(x) ?? 0)), right: m => m.standing === true,
  },
  overlap: { error: 'mean overlap volume, m³', of: m => abs(m.meanOverlapVolume), right: m => m.escaped === 0 },
  domino: { error: 'side drift, m', of: m => abs(m.maxSideDrift), right: m => m.fallen === m.of },
  cradle: { error: 'velocity error, m/s', of: m => abs(m.maxVelocityError), right: m => Number(m.maxVelocityError) < 1e-3 },
  tipping: { error: 'drift of what should rest, m', of: m => abs(m.drift), right: m => m.correct === true },
  pile: { error: 'final overlap volume, m³', of: m => abs(m.finalOverlapVolume), right: m => m.escaped === 0 },
  doublePendulum: { error: 'energy drift', of: m => abs(m.maxEnergyDriftRel), right: m => Number(m.maxEnergyDriftRel) < 0.05 },
}

function abs(x: unknown): number | null {
  return typeof x === 'number' && Number.isFinite(x) ? Math.abs(x) : null
}

export interface Point {
  readonly engine: string
  readonly profile: string
  readonly cairn: boolean
  /** ms: mean wall-clock time of a step. */
  readonly time: number | null
  readonly error: number | null
  readonly right: boolean
  readonly note: string
}

export interface Standing {
  readonly scene: string
  readonly analysis: string
  readonly error: string
  readonly points: readonly Point[]
  /** Cairn's smallest error ÷ that of the peers; null if one is missing or the peers' is 0. */
  readonly ratio: number | null
  /** For each of Cairn's runs, the peers that are both faster and more accurate. */
  readonly beatenBy: readonly { readonly run: string, readonly peers: readonly string[] }[]
}

export function standing(scene: string, analysis: string, rows: readonly Row[]): Standing {
  const measure = MEASURES[analysis]!
  const points = rows.map((row): Point => {
    const usable = row.error === undefined && row.complete === true && row.finite === true && row.metrics != null
    return {
      engine: row.engine, profile: row.profile, cairn: row.engine in CAIRN, time: row.steps ? row.msTotal! / row.steps : null,
      error: usable ? measure.of(row.metrics!) : null, right: usable && measure.right(row.metrics!),
      note: [row.error ?? (row.complete ? '' : `stopped at step ${row.steps}`), certified(row)].filter(part => part !== '').join('; '),
    }
  })
  const least = (cairn: boolean): number => Math.min(...points.filter(p => p.cairn === cairn && p.error !== null && p.right).map(p => p.error!))
  const [own, others] = [least(true), least(false)]
  return {
    scene, analysis, error: measure.error, points, ratio: Number.isFinite(own) && Number.isFinite(others) && others > 0 ? own / others : null,
    beatenBy: points.filter(p => p.cairn).map(p => ({ run: nameOf(p), peers: points.filter(q => !q.cairn && better(q, p)).map(nameOf) })),
  }
}

function certified({ certificate }: Row): string {
  return certificate === undefined ? '' : `residual ${figure(certificate.complementarity)} m/s, audit ${figure(certificate.audit)}`
}

function nameOf({ engine, profile }: Point): string {
  return `${engine} ${profile}`
}

/** Whether a run is faster and more accurate, with the right outcome. Every completed run beats a failed one. */
function better(q: Point, p: Point): boolean {
  if (!q.right || !p.right) return q.right
  return q.time! < p.time! && (q.error ?? 0) < (p.error ?? 0)
}

const figure = (x: number | null): string => x === null ? '–' : x === 0 ? '0' : Math.abs(x) >= 0.01 && Math.abs(x) < 1000 ? x.toPrecision(3) : x.toExponential(1)

export function markdown(standings: readonly Standing[], machine: string): string {
  const lines = [
    '# Errors and times beside other engines', '', machine, '',
    '| scene | error | Cairn | best peer | ratio | faster and more accurate than Cairn |', '|---|---|---|---|---|---|',
    ...standings.map(s => {
      const best = (cairn: boolean): string => {
        const [first] = s.points.filter(p => p.cairn === cairn && p.right && p.error !== null).sort((p, q) => p.error! - q.error!)
        return first === undefined ? '–' : `${figure(first.error)} (${nameOf(first)}, ${figure(first.time)} ms)`
      }
      const wrong = s.points.filter(p => p.cairn && !p.right).map(nameOf)
      const beaten = s.beatenBy.filter(b => b.peers.length > 0).map(b => `${b.run}: ${wrong.includes(b.run) ? 'not right' : b.peers.join(', ')}`).join('; ')
      return `| ${s.scene} | ${s.error} | ${best(true)} | ${best(false)} | ${figure(s.ratio)} | ${beaten || 'none'} |`
    }),
  ]
  for (const s of standings) {
    lines.push('', `## ${s.scene}`, '', `| engine | ms a step | ${s.error} | right outcome | note |`, '|---|---|---|---|---|',
      ...s.points.map(p => `| ${nameOf(p)} | ${figure(p.time)} | ${figure(p.error)} | ${p.right ? 'yes' : 'no'} | ${p.note.slice(0, 120).replaceAll('|', '/')} |`))
  }
  return `${lines.join('\n')}\n`
}
