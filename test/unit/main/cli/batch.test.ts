// @module-tag long
/** compare, check and render from the command line: output, exit codes, and files. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { render } from '../../../../main/cli/render'
import { built, scratch } from '../built'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let cli = ''
beforeAll(async () => {
  cli = built().cli
})

function cairn(args: readonly string[], environment: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: 'utf8', cwd: folder, timeout: 55_000, maxBuffer: 1 << 28, env: { ...process.env, ...environment },
  })
  return { code: status, out: stdout, err: stderr }
}

const scene = (height: number, name = 'Ball') => ({
  format: 'cairn-scene', version: 1, name,
  materials: [{ id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.8 }],
  bodies: [
    { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
    { id: 'ball', type: 'dynamic', position: [0, 0, height], shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] },
  ],
  joints: [], forces: [], scripts: [], simulation: { duration: 1, outputRate: 100 },
})

function simulated(name: string, height = 1.1, ...options: string[]): string {
  writeFileSync(join(folder, `${name}.cairn.json`), JSON.stringify(scene(height)))
  expect(cairn(['simulate', `${name}.cairn.json`, '-o', `${name}.mcap`, ...options]).code).toBe(0)
  return `${name}.mcap`
}

/** When the ball first touches the ground, s. */
const fall = (height: number) => Math.sqrt(2 * (height - 0.1) / 9.81)

describe('cairn compare', () => {
  let exact = ''
  beforeAll(() => {
    exact = simulated('exact', 1.1, '--method', 'event-driven')
  }, 60_000)

  it('reports a run and its repetition as equal, with exit code 0', () => {
    const again = simulated('again', 1.1, '--method', 'event-driven')
    expect(cairn(['compare', exact, again, '--tolerance', '0'])).toMatchObject({ code: 0, out: expect.stringMatching(/^equal within the tolerance\n/) as string })
  })

  it('shows, for two methods, the same flight, the same impact within a step, and different velocities at the impact', () => {
    const stepped = simulated('stepped', 1.1, '--method', 'time-stepping', '--step', '0.002')
    const { code, out } = cairn(['compare', exact, stepped, '--tolerance', 'position=1e-4', '--json'])
    const found = JSON.parse(out) as { status: string; divergence: { time: number } | null; worst: { position: { difference: number } }; first: object; second: object; events: object }
    expect(found).toMatchObject({ first: { method: 'event-driven' }, second: { method: 'time-stepping' }, events: { matched: expect.any(Number) as number } })
    expect(code).toBe(found.status === 'equal' ? 0 : 1)
    expect(found.worst.position.difference).toBeLessThan(0.02)
    if (found.divergence) expect(found.divergence.time).toBeGreaterThanOrEqual(Math.floor(fall(1.1) * 100) / 100)
  })

  it('shows, for two step sizes, that the finer one is closer', () => {
    const [coarse, fine] = ['0.01', '0.001'].map(step => simulated(`step-${step}`, 1.1, '--method', 'time-stepping', '--step', step))
    const apart = (run: string) => (JSON.parse(cairn(['compare', exact, run, '--json']).out) as { worst: { velocity: { difference: number }; position: { difference: number } } }).worst
    expect(apart(fine!).position.difference).toBeLessThanOrEqual(apart(coarse!).position.difference)
  })

  it('shows, for two versions of a scene, the difference in the first frame, and plots in the report', () => {
    const higher = simulated('higher', 1.1 + 1e-3, '--method', 'event-driven')
    const answer = cairn(['compare', exact, higher, '--html', 'report.html', '--json'])
    expect(answer.code).toBe(1)
    const found = JSON.parse(answer.out) as { divergence: { time: number; quantity: string; of: string; difference: number }; first: { sceneHash: string }; second: { sceneHash: string } }
    expect(found.divergence).toMatchObject({ time: 0, quantity: 'position', of: 'ball', difference: expect.closeTo(1e-3, 12) as number })
    expect(found.first.sceneHash).not.toBe(found.second.sceneHash)
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/Different: at 0 s the position of ball differs by 0\.001 m[\s\S]*<polyline/)
    expect(cairn(['compare', exact, higher]).out).toMatch(/^different: at 0 s the position of ball differs by 0\.001 m\n/)
  })

  it('refuses files that are not runs, invalid tolerances, and reports that cannot be written', () => {
    expect(cairn(['compare', exact, 'nowhere.mcap', '--json'])).toMatchObject({ code: 2, out: expect.stringContaining('"FileNotFound"') as string })
    for (const tolerance of ['much', '-1', 'position=', 'colour=1']) {
      expect(cairn(['compare', exact, exact, '--tolerance', tolerance, '--json'])).toMatchObject({ code: 2, out: expect.stringContaining('"Usage"') as string })
    }
    expect(cairn(['compare', exact, exact, '--html', 'no/such/place.html', '--json'])).toMatchObject({ code: 2, out: expect.stringContaining('"FileNotWritable"') as string })
  })

  it('refuses a damaged file and says where it is damaged, instead of comparing or tabulating it', () => {
    const damaged = simulated('damaged', 1.1, '--method', 'event-driven')
    const bytes = readFileSync(join(folder, damaged))
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    writeFileSync(join(folder, damaged), bytes)
    for (const pair of [[exact, damaged], [damaged, exact]]) {
      const { code, out } = cairn(['compare', ...pair, '--json'])
      expect(code).toBe(2)
      expect(JSON.parse(out)).toMatchObject({ errors: [{ name: 'DamagedFile', value: damaged, message: expect.stringMatching(/checksum|hash/) as string }] })
    }
    const table = cairn(['table', damaged, '--what', 'bodies', '--to', 'csv', '-o', 'damaged.csv', '--json'])
    expect(table).toMatchObject({ code: 2, out: expect.stringContaining('"DamagedFile"') as string })
    expect(existsSync(join(folder, 'damaged.csv'))).toBe(false)
  })

  it('reads a truncated run up to its end', () => {
    const cut = simulated('cut', 1.1, '--method', 'event-driven', '--rate', '100')
    truncateSync(join(folder, cut), Math.floor(statSync(join(folder, cut)).size * 0.6))
    const { code, out } = cairn(['compare', exact, cut, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ divergence: { quantity: 'length' }, second: { complete: false }, worst: { position: { difference: 0 } } })
  })
})

describe('cairn check', () => {
  const suite = join(folder, 'suite')
  const check = (...args: string[]) => cairn(['check', 'suite', '--jobs', '2', ...args])
  const stored = () => JSON.parse(readFileSync(join(suite, 'cairn-check.json'), 'utf8')) as { scenes: Record<string, { hash: string; tolerance: number; limits: Record<string, number> }> }
  beforeAll(() => {
    mkdirSync(suite)
    writeFileSync(join(suite, 'one.cairn.json'), JSON.stringify(scene(1.1)))
    writeFileSync(join(suite, 'two.cairn.json'), JSON.stringify(scene(0.6)))
  })

  it('fails if no results are stored, stores them, and then passes', () => {
    expect(check()).toMatchObject({ code: 1, out: '0 passed, 2 failed\n', err: expect.stringContaining('it has no stored result') as string })
    expect(check('--update')).toMatchObject({ code: 0, out: '2 stored, 0 failed\n' })
    expect(Object.keys(stored().scenes)).toStrictEqual(['one.cairn.json', 'two.cairn.json'])
    expect(check()).toMatchObject({ code: 0, out: '2 passed, 0 failed\n' })
  })

  it('detects a change, reports its size, and writes JUnit XML', () => {
    writeFileSync(join(suite, 'two.cairn.json'), JSON.stringify(scene(0.6 + 1e-6, 'A <changed> "scene"')))
    const { code, out } = check('--junit', 'results.xml', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      status: 'failed', passed: 1, failed: 1,
      scenes: [{ scene: 'one.cairn.json', outcome: 'passed', faults: [] }, { scene: 'two.cairn.json', outcome: 'failed', faults: [expect.stringMatching(/hash.*farthest: "ball" ends/) as string] }],
    })
    const xml = readFileSync(join(folder, 'results.xml'), 'utf8')
    expect(xml).toMatch(/<testsuite name="suite" tests="2" failures="1" errors="0" skipped="0"/)
    expect(xml).toMatch(/<testcase classname="suite" name="two\.cairn\.json" time="[\d.]+">\n {6}<failure message="the last frame&apos;s hash|<failure message="the last frame's hash/)
  })

  it('passes within the tolerance of the scene\'s author, and enforces limits', () => {
    const change = (part: object) => {
      const file = stored()
      Object.assign(file.scenes['two.cairn.json']!, part)
      writeFileSync(join(suite, 'cairn-check.json'), JSON.stringify({ format: 'cairn-check', version: 1, scenes: file.scenes }))
    }
    change({ tolerance: 1e-3 })
    expect(check().code).toBe(0)
    change({ tolerance: 1e-9 })
    expect(check()).toMatchObject({ code: 1, err: expect.stringMatching(/"ball" ends .* m .* away; 1e-9 allowed/) as string })
    change({ tolerance: 1e-3, limits: { maxPenetration: 1e-9 } })
    expect(check('--update').code).toBe(0)
    expect(stored().scenes['two.cairn.json']).toMatchObject({ tolerance: 1e-3, limits: { maxPenetration: 1e-9 } })
  })

  it('detects scenes that are missing, refused or new', () => {
    rmSync(join(suite, 'one.cairn.json'))
    writeFileSync(join(suite, 'three.cairn.json'), '{')
    const { code, err, out } = check('--json')
    expect(code).toBe(1)
    expect(out).toContain('the scene no longer exists')
    expect(err).toMatch(/failed {2}three\.cairn\.json/)
  })

  it('refuses missing folders, folders without scenes, and files of another kind', () => {
    expect(cairn(['check', 'nowhere', '--json'])).toMatchObject({ code: 2, out: expect.stringContaining('"FolderNotFound"') as string })
    mkdirSync(join(folder, 'empty'))
    expect(cairn(['check', 'empty', '--json'])).toMatchObject({ code: 2, out: expect.stringContaining('"NoScenes"') as string })
    writeFileSync(join(suite, 'cairn-check.json'), '{"format":"cairn-check","version":1,"scenes":{"two.cairn.json":{"hash":1}}}')
    expect(check('--json')).toMatchObject({ code: 2, out: expect.stringContaining('scenes.two.cairn.json') as string })
  })
})

describe('cairn render refuses', () => {
  let run = ''
  beforeAll(() => {
    run = simulated('drawn')
  }, 60_000)
  const refused = async (args: string[]) => {
    const error = await render([join(folder, run), ...args]).then(() => null, (reason: Error) => reason) as Error & { problems: { name: string; message: string }[] }
    return error.problems[0] ?? error
  }

  it('if there is no browser, before it writes anything', () => {
    const { code, out } = cairn(['render', run, '-o', 'still.png', '--json'], { CAIRN_CHROMIUM: '/nowhere/chromium' })
    expect([code, out]).toStrictEqual([2, expect.stringContaining('"NoBrowser"')])
    expect(readdirSync(folder).filter(name => name.includes('still.png'))).toStrictEqual([])
    expect(existsSync(join(folder, 'still.png'))).toBe(false)
  })

  it.each<[string[], string]>([
    [[], 'Usage'], [['-o', 'a.gif'], 'Usage'], [['-o', 'a.webm'], 'Usage'], [['--video', '-o', 'a.png'], 'Usage'], [['-o', 'a.png', '--time', '7'], 'Usage'],
    [['-o', 'a.png', '--size', '10'], 'Usage'], [['--video', '-o', 'a.webm', '--size', '641x360'], 'Usage'], [['--video', '-o', 'a.webm', '--from', '0.5', '--to', '0.2'], 'Usage'],
    [['-o', 'a.png', '--overlays', 'glitter'], 'Usage'], [['-o', 'a.png', '--plot', 'energy.dark'], 'InvalidFormula'], [['-o', 'a.png', '--plot', 'bodies.nobody.position.z'], 'UnknownReference'],
    [['--video', '-o', 'a.webm', '--rate', '0'], 'Usage'], [['-o', 'a.png', '--rate', '30'], 'Usage'],
    [['--video', '-o', 'a.webm', '--transparent'], 'Usage'],
  ])('%j', async (args, name) => {
    const { name: found, message } = await refused(args)
    expect([found, message.length > 8]).toStrictEqual([name, true])
  })
})
