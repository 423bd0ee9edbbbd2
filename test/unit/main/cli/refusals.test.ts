import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { exportScene } from '../../../../main/cli/export'
import { inspect } from '../../../../main/cli/inspect'
import { open } from '../../../../main/cli/open'
import { HostError } from '../../../../main/protocol/host'
import { applyOverrides, parseOverride } from '../../../../main/cli/overrides'
import { simulate } from '../../../../main/cli/simulate'
import { table } from '../../../../main/cli/table'
import { validate } from '../../../../main/cli/validate'
import { commandLine, errors, type Fault, json, type Scene, withScript } from './command-line'

const { cairn, folder, sceneFile } = commandLine()

describe('an input refused before the first frame gives exit code 2 and the place of the problem, and writes nothing', () => {
  const cube = (id: string, z: number) => ({ id, type: 'dynamic', position: [0, 0, z], shapes: [{ type: 'box', size: [1, 1, 1], material: 'rubber' }] })
  it.each<[string, (scene: Scene) => void, Partial<Fault> & { ids?: string[] }]>([
    ['an unknown key', scene => { scene.bodies[1].colour = 'red' }, { name: 'UnknownKey', path: 'bodies[1].colour' }],
    ['zero mass', scene => { scene.bodies[1].mass = { mass: 0 } }, { path: 'bodies[1].mass.mass', value: 0 }],
    ['inertia violating A + B ≥ C', scene => { scene.bodies[1].mass = { mass: 1, inertia: [1, 1, 3, 0, 0, 0] } }, { name: 'InvalidInertia', path: 'bodies[1].mass.inertia' }],
    ['a missing material', scene => { scene.bodies[1].shapes[0].material = 'stone' }, { name: 'UnknownReference', path: 'bodies[1].shapes[0].material', value: 'stone' }],
    ['a duplicate id', scene => { scene.bodies[1].id = 'ground' }, { name: 'DuplicateId', path: 'bodies[1].id' }],
    ['a joint to a missing body', scene => { scene.joints = [{ id: 'j', type: 'ball', bodyA: 'ball', bodyB: 'wall', anchor: [0, 0, 0] }] }, { name: 'UnknownReference', path: 'joints[0].bodyB' }],
    ['overlapping bodies at t = 0', scene => { scene.bodies.push(cube('a', 5), cube('b', 5.9)) }, { name: 'InitialPenetration', ids: ['a', 'b'] }],
    ['a script that does not compile', withScript('export default function (ctx) {\n  let x = = 1\n}'), { name: 'ScriptError', line: 2, column: 11, path: 'scripts[0].source' }],
    ['a script that exports nothing', withScript('const x = 1'), { name: 'ScriptError', path: 'scripts[0].source' }],
    ['a newer version', scene => { scene.version = 99 }, { name: 'NewerVersion' }],
  ])('%s', (name, change, expected) => {
    const path = sceneFile('refused', change)
    const before = readFileSync(path, 'utf8')
    const answer = cairn('simulate', path, '-o', 'refused.mcap', '--json')
    expect(answer.code).toBe(2)
    const [first] = errors(answer)
    expect(first).toMatchObject(expected)
    expect(first!.message.length).toBeGreaterThan(10)
    expect(answer.err).toContain('error')
    expect(existsSync(join(folder, 'refused.mcap'))).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe(before)
    if (name === 'overlapping bodies at t = 0' || name === 'a script that does not compile') {
      expect(json(cairn('validate', path, '--json'))).toMatchObject({ status: 'refused', errors: [expected] })
    }
  })

  it('malformed JSON, with its line and column', () => {
    const path = join(folder, 'malformed.cairn.json')
    writeFileSync(path, '{\n  "format": "cairn-scene",\n  "version": 1,,\n}')
    const answer = cairn('validate', path, '--json')
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ name: 'MalformedJson', line: 3 })
  })

  it('NaN and numbers that overflow', () => {
    const path = join(folder, 'nan.cairn.json')
    for (const value of ['NaN', '1e999']) {
      writeFileSync(path, readFileSync(sceneFile('for-nan'), 'utf8').replace('1.1', value))
      const answer = cairn('simulate', path, '--json')
      expect(answer.code).toBe(2)
      expect(errors(answer)[0]!.name).toMatch(/MalformedJson|NotFinite|WrongType/)
    }
  })

  it('a file of 100 MB, at once', () => {
    const path = join(folder, 'large.cairn.json')
    const fd = openSync(path, 'w')
    const part = Buffer.alloc(10_000_000, ' ')
    for (let i = 0; i < 10; i++) writeSync(fd, part)
    closeSync(fd)
    const started = performance.now()
    const answer = cairn('simulate', path, '--json')
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ name: 'TooLarge', value: 100_000_000, allowed: 'at most 67108864 bytes' })
    expect(performance.now() - started).toBeLessThan(20_000)
    rmSync(path)
  })

  it('missing files, folders, and files that are not text or not trajectories', { tags: 'long' }, () => {
    expect(errors(cairn('simulate', 'nowhere.cairn.json', '--json'))[0]).toMatchObject({ name: 'FileNotFound' })
    expect(errors(cairn('simulate', folder, '--json'))[0]).toMatchObject({ name: 'NotAFile' })
    writeFileSync(join(folder, 'bytes.cairn.json'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(errors(cairn('validate', 'bytes.cairn.json', '--json'))[0]).toMatchObject({ name: 'InvalidFile' })
    for (const command of [['inspect'], ['table', '--what', 'bodies', '--to', 'csv']]) {
      const answer = cairn(...command, 'bytes.cairn.json', '--json')
      expect(answer.code).toBe(2)
      expect(errors(answer)[0]).toMatchObject({ name: 'InvalidTrajectory' })
    }
    expect(errors(cairn('inspect', 'nowhere.mcap', '--json'))[0]).toMatchObject({ name: 'FileNotFound' })
  })

  it('a missing or unknown command, and an unknown flag', () => {
    for (const args of [[], ['fly'], ['simulate', 'a', '--fast']]) {
      const answer = cairn(...args, '--json')
      expect(answer.code).toBe(2)
      expect(errors(answer)[0]).toMatchObject({ name: 'Usage' })
    }
  })

  it.each([
    [simulate, []], [simulate, ['a', 'b']], [simulate, ['a', '--duration', 'long']], [simulate, ['a', '--duration=-1']], [simulate, ['a', '--rate', '']],
    [simulate, ['a', '--method', 'magic']], [simulate, ['a', '--set', 'no-value']], [table, ['a']], [table, ['a', '--what', 'bodies', '--to', 'xls']],
    [table, ['a', '--what', 'bodies']], [exportScene, ['a']], [exportScene, ['a', '--to', 'blend']], [exportScene, ['a', '--to', 'mjcf', '--at', '1']],
    [inspect, ['a', '--time', 'noon']], [validate, ['a', '--fix']], [open, ['--port', '70000']], [open, ['--root', '/nowhere/at/all']],
  ])('wrong usage: %o %j', async (command, args) => {
    if (args.includes('--at')) sceneFile('a')
    const given = args.map(arg => (arg === 'a' && args.includes('--at') ? join(folder, 'a.cairn.json') : arg))
    await expect(command(given)).rejects.toMatchObject({ problems: [{ name: 'Usage', message: expect.stringMatching(/.{8}/) as string }] })
  })

  it.each(['bodies[7].id=1', 'bodies.nobody.position=[0,0,0]', '__proto__.polluted=1', 'a.constructor.b=1', 'name.first=1', '[]=1'])('--set %s', set => {
    expect(() => applyOverrides(readFileSync(sceneFile('set'), 'utf8'), [parseOverride(set)])).toThrow(HostError)
    expect('polluted' in {}).toBe(false)
  })

  it('an output that cannot be created, or that would replace the scene', () => {
    const path = sceneFile('outputs')
    const below = cairn('simulate', path, '-o', join(path, 'run.mcap'), '--json')
    expect(below.code).toBe(2)
    expect(errors(below)[0]).toMatchObject({ name: 'OutputNotCreated', value: join(path, 'run.mcap'), message: `"${join(path, 'run.mcap')}" cannot be created: its folder is a file.` })
    mkdirSync(join(folder, 'taken.mcap'), { recursive: true })
    expect(errors(cairn('simulate', path, '-o', 'taken.mcap', '--json'))[0]).toMatchObject({ name: 'OutputNotCreated' })
    expect(errors(cairn('simulate', path, '-o', path, '--json'))[0]).toMatchObject({ name: 'Usage' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ name: 'Ball' })
  })

  it('a time beyond the run, with the available times', () => {
    expect(cairn('simulate', sceneFile('times'), '-o', 'times.mcap').code).toBe(0)
    const answer = cairn('inspect', 'times.mcap', '--time', '1.5', '--json')
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ name: 'TimeOutOfRange', value: 1.5, allowed: '0 to 1 s' })
  })
})

describe('a run that stops early gives exit code 1 and the reason, and keeps its frames', () => {
  const late = (statement: string) => withScript(`export default function (ctx: ForceContext) {\n  if (ctx.time > 0.3) {\n    ${statement}\n  }\n}`)
  it.each([
    ['throws', late(`throw new RangeError('enough')`), /enough/, 3],
    ['loops', late('let n = 0; while (true) { n = n + 1 }'), /too long/, 2], // a loop without calls is reported at the preceding statement
    ['allocates without end', late('const a = []; while (true) a.push(new Array(10000).fill(0))'), /memory/, 3],
    ['gives a force that is no number', late(`ctx.body('ball').applyForce([0, 0, 0 / 0])`), /NaN/, 3],
  ])('a script that %s', (_name, change, message, line) => {
    const answer = cairn('simulate', sceneFile('stopped', change), '-o', 'stopped.mcap', '--json')
    expect(answer.code).toBe(1)
    const result = json(answer)
    expect(result).toMatchObject({ status: 'stopped', reason: 'ScriptError', ids: ['push.ts'], error: { name: 'ScriptError', message: expect.stringMatching(message) as string, path: 'scripts[0].source', line } })
    expect((result.error as { time: number }).time).toBeGreaterThan(0.3)
    expect(result.frames).toBeGreaterThan(0)
    const reader = new TrajectoryReader(join(folder, 'stopped.mcap'))
    expect(reader).toMatchObject({ frames: result.frames, complete: true })
    expect(reader.end).toMatchObject({ status: 'stopped', reason: 'ScriptError' })
    reader.close()
  })

  it.skipIf(!existsSync('/dev/full'))('a full disk', () => {
    const answer = cairn('simulate', sceneFile('full'), '-o', '/dev/full', '--json')
    expect(answer.code).toBe(1)
    expect(json(answer)).toMatchObject({ status: 'stopped', reason: 'DiskFull', complete: false, error: { name: 'DiskFull' } })
    expect(cairn('simulate', sceneFile('fits'), '-o', 'fits.mcap').code).toBe(0)
    const table = cairn('table', 'fits.mcap', '--what', 'bodies', '--to', 'csv', '-o', '/dev/full', '--json')
    expect(table.code).toBe(2)
    expect(errors(table)[0]).toMatchObject({ name: 'DiskFull' })
  })

  it('a truncated trajectory is read, with a message', { tags: 'long' }, () => {
    expect(cairn('simulate', sceneFile('whole'), '-o', 'cut.mcap', '--set', 'simulation.outputRate=10000').code).toBe(0)
    const path = join(folder, 'cut.mcap')
    truncateSync(path, Math.floor(statSync(path).size / 2))
    const answer = cairn('inspect', path, '--json')
    expect(answer.code).toBe(0)
    const { complete, frame, run } = json(answer) as { complete: boolean; frame: number; run: object }
    expect(complete).toBe(false)
    expect(frame).toBeGreaterThan(1000)
    expect(run).toMatchObject({ status: 'incomplete' })
    expect(cairn('table', path, '--what', 'certificate', '--to', 'csv').out.trimEnd().split('\n')).toHaveLength(frame + 2)
  })
})
