/**
 * Compares Cairn with other engines on the neutral scenes of the harness (`../shared/peers` beside the project). Each run has its own process, all
 * runs of a scene follow one another, and the harness's analysers measure them. Writes the error–time table as Markdown and JSON.
 *
 *   npm run bench -- peers [--engines rapier,jolt | none | all] [--cairn cairn-ed,cairn-ts] [--profiles default,quality,rk4,standard]
 *                          [--scenes S1,S5c | all] [--seconds 20] [--dt 0.005] [--tolerance 1e-4] [--out folder]
 *
 * With `--tolerance` time-stepping runs each scene once more, with gaps of up to that many metres between touching bodies.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareHarness, runCairnApart, runPeers, scenesNamed } from './peers/harness'
import { CAIRN, type Row } from './peers/run'
import { markdown, standing, type Standing } from './peers/table'

const PEERS = ['rapier', 'jolt', 'havok', 'cannon', 'mujoco', 'physx', 'ammo']

export default async function (args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      engines: { type: 'string', default: 'all' }, cairn: { type: 'string', default: 'all' }, profiles: { type: 'string', default: 'default,quality,rk4,standard' },
      scenes: { type: 'string', default: 'S1,S2,S3,S4,S5c,S5d,S9,S10,S12' }, seconds: { type: 'string', default: '20' }, dt: { type: 'string' }, tolerance: { type: 'string' }, out: { type: 'string' },
    },
  })
  const engines = chosen('engine', values.engines, PEERS)
  const own = chosen('method of Cairn', values.cairn, Object.keys(CAIRN))
  const profiles = values.profiles.split(',')
  const seconds = positive('seconds', values.seconds)
  const dt = values.dt === undefined ? undefined : positive('dt', values.dt)
  const tolerance = values.tolerance === undefined ? undefined : positive('tolerance', values.tolerance)
  const folder = await prepareHarness(engines.length > 0)
  const out = resolve(values.out ?? join(folder, 'results'))
  mkdirSync(out, { recursive: true })
  const rows: Row[] = []
  const standings: Standing[] = []
  const machine = `${cpus()[0]!.model}, ${cpus().length} processors, Node ${process.version}, ${new Date().toISOString()}; at most ${seconds} s a run.`
  for (const { id: scene, analysis } of scenesNamed(values.scenes)) {
    const found: Row[] = engines.length > 0 ? await runPeers(engines, profiles, scene, seconds, dt) : []
    for (const engine of own) {
      for (const profile of profiles.filter(name => name in CAIRN[engine]!.profiles)) {
        found.push(await runCairnApart({ engine, profile, scene, maxSeconds: seconds, ...(dt === undefined ? {} : { dt }) }))
        if (tolerance !== undefined && CAIRN[engine]!.method === 'time-stepping') {
          found.push(await runCairnApart({ engine, profile, scene, maxSeconds: seconds, tolerance, ...(dt === undefined ? {} : { dt }) }))
        }
      }
    }
    rows.push(...found)
    standings.push(standing(scene, analysis.type, found))
    writeFileSync(join(out, 'peers.json'), JSON.stringify({ machine, rows, standings }, null, 1))
    writeFileSync(join(out, 'peers.md'), markdown(standings, machine))
    report(standings.at(-1)!)
  }
  console.log(`  table in ${join(out, 'peers.md')}`)
}

function report({ scene, error, points }: Standing): void {
  console.log(`  ${scene}: ${error}`)
  for (const { engine, profile, time, error: value, right, note } of points) {
    const cells = [time === null ? '–' : `${time.toPrecision(3)} ms`, value === null ? '–' : value.toPrecision(3), right ? 'right' : 'wrong']
    console.log(`    ${`${engine} ${profile}`.padEnd(18)} ${cells.map(cell => cell.padStart(11)).join(' ')}  ${note.slice(0, 150)}`)
  }
}

function chosen(what: string, list: string, all: readonly string[]): string[] {
  if (list === 'all') return [...all]
  if (list === 'none') return []
  const names = list.split(',')
  const unknown = names.filter(name => !all.includes(name))
  if (unknown.length > 0) throw new Error(`no ${what} ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return names
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} is ${text}; it has to be a number greater than 0`)
  return value
}
