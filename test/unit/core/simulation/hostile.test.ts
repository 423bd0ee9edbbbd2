/** Scenes that once kept the engine busy without an answer, or took far too many events. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { parseScene, type Scene } from '../../../../core/scene'
import { recorded } from '../../../verification/support'

const folder = new URL('hostile/', import.meta.url)
const read = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Scene & { simulation?: object }

/** Time of the main thread alone, where the system tells it: compiler and collector of a busy machine count elsewhere. */
const OWN_TIME = `/proc/self/task/${process.pid}/schedstat`
const tellsOwn = isMainThread && existsSync(OWN_TIME)

/** ms of processor time. */
function processor(): number {
  if (tellsOwn) return Number(readFileSync(OWN_TIME, 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** ms of processor time after which a run is cancelled, and within which every stage has to look whether it is. */
const PATIENCE = 400
const ANSWER = 1000

it.each(readdirSync(folder).filter(file => file.startsWith('random-')))('%s looks for a cancel at least once a second, and ends when it is cancelled', file => {
  const started = processor()
  let last = started
  let longest = 0
  const look = () => {
    const now = processor()
    longest = Math.max(longest, now - last)
    last = now
    return now - started > PATIENCE
  }
  let outcome: string
  try {
    outcome = recorded(read(file), undefined, look).end.status
  } catch (error) {
    outcome = (error as Error).name
  }
  look()
  expect(['cancelled', 'stopped', 'completed', 'RefusedError']).toContain(outcome)
  expect(longest).toBeLessThan(ANSWER)
})

it('a roller that bounces and hits a box restarts less often than it has impacts', () => {
  const scene = read('roller-on-a-ramp.cairn.json')
  const { end, events, certificates } = recorded({ ...scene, simulation: { ...scene.simulation, duration: 1.6 } })
  const count = (kind: string) => events.filter(event => event.kind === kind).length
  expect(end.status).toBe('completed')
  expect(count('impact')).toBeGreaterThan(50)
  expect(count('restart')).toBeLessThan(count('impact'))
  expect(Math.max(...certificates.map(({ maxPenetration }) => maxPenetration))).toBeLessThan(1e-8)
})

it.each([
  ['the scene', (keys: string) => `{"format":"cairn-scene","version":1,${keys}}`],
  ['a body', (keys: string) => `{"format":"cairn-scene","version":1,"bodies":[{"id":"b",${keys}}]}`],
  ['the simulation', (keys: string) => `{"format":"cairn-scene","version":1,"bodies":[],"simulation":{${keys}}}`],
])('400,000 unknown keys of %s are one problem, found at once', (_, text) => {
  const keys = Array.from({ length: 400_000 }, (_key, i) => `"k${i}":${i}`).join()
  const scene = text(keys)
  const started = processor()
  const result = parseScene(scene)
  expect(processor() - started).toBeLessThan(1000)
  expect(result.ok || result.problems.map(({ message }) => message)).toStrictEqual([expect.stringContaining('more than 1000 keys')])
})
