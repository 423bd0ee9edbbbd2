import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_VERSION } from '../../../../core/simulation'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { exportScene } from '../../../../main/cli/export'
import { inspect } from '../../../../main/cli/inspect'
import { open } from '../../../../main/cli/open'
import { HostError } from '../../../../main/protocol/host'
import { applyOverrides, parseOverride } from '../../../../main/cli/overrides'
import { simulate } from '../../../../main/cli/simulate'
import { table } from '../../../../main/cli/table'
import { validate } from '../../../../main/cli/validate'
import { built, scratch } from '../built'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let cli = ''
beforeAll(async () => {
  cli = built().cli
})

interface Answer { code: number | null; out: string; err: string }

function cairn(...args: string[]): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder, maxBuffer: 1 << 28, timeout: 50_000, killSignal: 'SIGKILL' })
  return { code: status, out: stdout, err: stderr }
}

function json(answer: Answer): Record<string, unknown> {
  expect(answer.out.trim().split('\n')).toHaveLength(1)
  return JSON.parse(answer.out) as Record<string, unknown>
}

interface Fault { name: string; message: string; path: string; allowed: string | null; ids: string[]; line?: number; column?: number; value: unknown }
function errors(answer: Answer): Fault[] {
  const { status, errors } = json(answer) as { status: string; errors: Fault[] }
  expect(status).toBe('refused')
  return errors
}

/** A ball that bounces on the ground; `change` edits the document before it is written. */
function sceneFile(name: string, change: (scene: Scene) => void = () => undefined): string {
  const scene: Scene = {
    format: 'cairn-scene', version: 1, name: 'Ball',
    materials: [{ id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.8 }],
    bodies: [
      { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
      { id: 'ball', type: 'dynamic', position: [0, 0, 1.1], shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] },
    ],
    joints: [], forces: [], scripts: [],
    simulation: { duration: 1, outputRate: 100 },
  }
  change(scene)
  const path = join(folder, `${name}.cairn.json`)
  writeFileSync(path, JSON.stringify(scene, null, 2))
  return path
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests write wrong documents on purpose
type Scene = Record<string, any>

function withScript(source: string) {
  return (scene: Scene) => {
    scene.scripts = [{ id: 'push.ts', source }]
    scene.forces = [{ id: 'push', type: 'script', script: 'push.ts' }]
  }
}

const fallTime = Math.sqrt(2 / 9.81)

describe('a run from the command line', () => {
  it('simulates, and prints one JSON object with every part that is promised', () => {
    const path = sceneFile('ball')
    const answer = cairn('simulate', path, '--json')
    expect(answer.code).toBe(0)
    const result = json(answer)
    expect(result).toMatchObject({
      status: 'completed', reason: null, scene: 'Ball', engine: ENGINE_VERSION, method: 'event-driven', simulatedTime: 1, frames: 101,
      sceneHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string, finalHash: expect.stringMatching(/^[0-9a-f]{16}$/) as string, warnings: [],
    })
    expect(Object.keys(result.events as object)).toStrictEqual(
      ['impact', 'newContact', 'release', 'stick', 'slip', 'feature', 'limit', 'breakpoint', 'restart', 'degraded'])
    expect(result.events).toMatchObject({ impact: 1 })
    expect(Object.keys(result.solver as object)).toStrictEqual(['name', 'calls', 'basisHits', 'pivots', 'maxContacts'])
    expect(result.fallbacks).toStrictEqual({ count: 0, time: 0 })
    expect(result.certificate).toMatchObject({ maxJointError: 0, energy: { friction: 0, scripts: 0, joints: 0 } })
    // Standard error has the progress, standard output nothing else; the file lies beside the scene.
    expect(answer.err).not.toContain('{')
    expect(existsSync(join(folder, 'ball.mcap'))).toBe(true)
  })

  it('tells what happened from the file alone: impacts at their exact time, states between frames by the motion itself', { tags: 'long' }, () => {
    rmSync(sceneFile('ball'))
    const impact = json(cairn('inspect', 'ball.mcap', '--json')) as { events: { kind: string; time: number; approachSpeed: number; reboundSpeed: number }[] }
    const hit = impact.events.find(event => event.kind === 'impact')!
    expect(Math.abs(hit.time - fallTime)).toBeLessThan(1e-9)
    expect(hit.reboundSpeed / hit.approachSpeed).toBeCloseTo(0.8, 9)

    interface State { time: number; frame: number; interpolated?: boolean; complete: boolean; bodies: { id: string; position: number[]; linearVelocity: number[] }[]; impacts: object[] }
    const onFrame = json(cairn('inspect', 'ball.mcap', '--time', '0.3', '--json')) as unknown as State
    expect(onFrame).toMatchObject({ time: 0.3, frame: 30, complete: true })
    expect(onFrame.interpolated).toBeUndefined()
    const height = (t: number) => 1.1 - 9.81 * t * t / 2
    for (const t of [0.3051, fallTime - 1e-4]) {
      const state = json(cairn('inspect', 'ball.mcap', '--time', String(t), '--json')) as unknown as State
      expect(state.interpolated).toBe(true)
      expect(state.bodies[1]!.position[2]).toBeCloseTo(height(t), 11)
      expect(state.bodies[1]!.linearVelocity[2]).toBeCloseTo(-9.81 * t, 9)
    }
    const after = json(cairn('inspect', 'ball.mcap', '--time', String(fallTime + 1e-3), '--json')) as unknown as State
    expect(after.bodies[1]!.linearVelocity[2]).toBeCloseTo(0.8 * 9.81 * fallTime - 9.81e-3, 8)
    expect(after.impacts).toHaveLength(1)
    const sections = json(cairn('inspect', 'ball.mcap', '--time', '0.3', '--contacts', '--json'))
    expect(Object.keys(sections)).toStrictEqual(['time', 'frame', 'complete', 'contacts', 'impacts'])
    expect(cairn('inspect', 'ball.mcap', '--time', '0.3').out).toContain('bodies[1].position  0 0 ')
  })

  it('gives tables that hold every digit', { tags: 'long' }, () => {
    const { code, out } = cairn('table', 'ball.mcap', '--what', 'bodies', '--to', 'csv')
    expect(code).toBe(0)
    const [head, ...rows] = out.trimEnd().split('\n').map(line => line.split(','))
    expect(head!.slice(0, 6)).toStrictEqual(['frame', 'time', 'body', 'position_x', 'position_y', 'position_z'])
    expect(rows).toHaveLength(2 * 101)
    const reader = new TrajectoryReader(join(folder, 'ball.mcap'))
    expect(Number(rows.at(-1)![5])).toBe(reader.frame(100).bodies[13 + 2])
    reader.close()
    for (const what of ['contacts', 'joints', 'forces', 'events', 'certificate', 'plots']) {
      expect(cairn('table', 'ball.mcap', '--what', what, '--to', 'csv', '-o', `${what}.csv`).code).toBe(0)
      const lines = readFileSync(join(folder, `${what}.csv`), 'utf8').trimEnd().split('\n')
      expect(new Set(lines.map(line => line.split(',').length)).size).toBe(1)
    }
  })

  it('takes changes from flags, by path, index and id, and records the scene that it ran', () => {
    const path = sceneFile('changed')
    const answer = cairn('simulate', path, '-o', 'changed-2.mcap', '--duration', '0.25', '--rate', '200', '--set', 'bodies.ball.position=[0,0,2.1]', '--set', 'materials[0].restitution=0.5', '--json')
    expect(json(answer)).toMatchObject({ status: 'completed', simulatedTime: 0.25, frames: 51, certificate: { energy: { initial: expect.closeTo(1000 * 4 / 3 * Math.PI * 1e-3 * 9.81 * 2.1, 6) as number } } })
    const reader = new TrajectoryReader(join(folder, 'changed-2.mcap'))
    expect(JSON.parse(reader.scene)).toMatchObject({ simulation: { duration: 0.25, outputRate: 200 }, materials: [{ restitution: 0.5 }] })
    reader.close()
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ simulation: { duration: 1 } })
  })

  it('gives equal hashes and equal frames when run twice', { tags: 'long' }, () => {
    const path = sceneFile('twice', withScript(`export default function (ctx: ForceContext) { ctx.body('ball').applyForce([ctx.random('x', 0.1), Math.sin(ctx.time), 0]); ctx.plot('x', ctx.random('x')) }`))
    const [first, second] = ['1', '2'].map(n => json(cairn('simulate', path, '-o', `twice-${n}.mcap`, '--json')))
    expect(first!.finalHash).toBe(second!.finalHash)
    const [a, b] = ['1', '2'].map(n => cairn('table', `twice-${n}.mcap`, '--what', 'bodies', '--to', 'csv').out)
    expect(a).toBe(b)
  })

  it('exports to MJCF, at the start or as a run left it', { tags: 'long' }, () => {
    const path = sceneFile('export')
    expect(cairn('simulate', path, '-o', 'export.mcap').code).toBe(0)
    expect(json(cairn('export', path, '--to', 'mjcf', '-o', 'export.xml', '--json'))).toMatchObject({ status: 'completed', files: ['export.xml'] })
    expect(readFileSync(join(folder, 'export.xml'), 'utf8')).toContain('<mujoco')
    expect(cairn('export', path, '--to', 'mjcf', '-o', 'later.xml', '--from', 'export.mcap', '--at', '0.3').code).toBe(0)
    expect(readFileSync(join(folder, 'later.xml'), 'utf8')).not.toBe(readFileSync(join(folder, 'export.xml'), 'utf8'))
  })
})

describe('meshes from the command line', () => {
  const step = 'v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\nv 1 0 2\nv 0 0 2\nv 0 1 0\nv 2 1 0\nv 2 1 1\nv 1 1 1\nv 1 1 2\nv 0 1 2\n'
    + 'f 1 2 3 4 5 6\nf 12 11 10 9 8 7\nf 2 1 7 8\nf 3 2 8 9\nf 4 3 9 10\nf 5 4 10 11\nf 6 5 11 12\nf 1 6 12 7\n'

  beforeAll(() => { writeFileSync(join(folder, 'step.obj'), step) })

  it('are imported as a scene that runs, embedded or by reference', { tags: 'long' }, () => {
    const made = json(cairn('import', 'step.obj', '--scale', '0.1', '--json'))
    expect(made).toMatchObject({ status: 'completed', scene: 'step.cairn.json', pieces: 2, method: 'exact', notes: [] })
    expect(made.volume).toBeCloseTo(3e-3, 15)
    expect(cairn('import', 'step.obj', '--reference', '-o', 'referring.cairn.json').code).toBe(0)
    const shape = (JSON.parse(readFileSync(join(folder, 'referring.cairn.json'), 'utf8')) as Scene).bodies[1].shapes[0]
    expect(shape).toMatchObject({ file: 'step.obj', solid: { volume: 3 } })
    expect(shape.vertices).toBeUndefined()
    for (const scene of ['step', 'referring']) {
      const run = json(cairn('simulate', `${scene}.cairn.json`, '--duration', '0.1', '--json'))
      expect(run).toMatchObject({ status: 'completed', warnings: [] })
    }
  })

  it('without pieces are refused with what to do, and then decomposed in place', () => {
    const path = join(folder, 'whole.cairn.json')
    expect(cairn('import', 'step.obj', '-o', path).code).toBe(0)
    const scene = JSON.parse(readFileSync(path, 'utf8')) as Scene
    delete scene.bodies[1].shapes[0].pieces
    writeFileSync(path, JSON.stringify(scene, null, 2))
    expect(errors(cairn('simulate', path, '--json'))[0]!.message).toMatch(/mesh: has no convex pieces yet; compute them with "cairn decompose"/)
    expect(json(cairn('decompose', path, '--json'))).toMatchObject({ status: 'completed', meshes: [{ path: 'bodies.body-step.shapes[0]', pieces: 2, method: 'exact' }] })
    expect(cairn('validate', path).code).toBe(0)
    expect(cairn('decompose', path).out).toMatch(/every mesh has its pieces already/)
  })

  it('that cannot be read are refused with format, place and fault', () => {
    writeFileSync(join(folder, 'bad.obj'), 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n')
    expect(errors(cairn('import', 'bad.obj', '--json'))[0]).toMatchObject({ name: 'MeshError', message: 'OBJ, line 4: "4" names no vertex; there are 3 so far' })
    expect(errors(cairn('import', 'step.blend', '--json'))[0]).toMatchObject({
      name: 'Usage', allowed: expect.stringMatching(/^a file ending in obj, stl, ply, gltf, glb, dae, .*urdf/) as string,
    })
    expect(errors(cairn('import', 'step.obj', '-o', 'other.cairn.json', '--method', 'exact', '--max-pieces', '1', '--json'))[0]!.message).toMatch(/mesh: more than 1 exact pieces are needed/)
  })
})

describe('a table into a pipe', () => {
  it('comes out whole, however much it is', { tags: 'long' }, () => {
    expect(cairn('simulate', sceneFile('long-table'), '-o', 'long-table.mcap', '--rate', '20000').code).toBe(0)
    const { code, out, err } = cairn('table', 'long-table.mcap', '--what', 'bodies', '--to', 'csv')
    expect([code, err]).toStrictEqual([0, ''])
    expect(out.length).toBeGreaterThan(2e6) // it used to end after the first MiB
    expect(out.trimEnd().split('\n')).toHaveLength(1 + 2 * 20001)
    expect(out.endsWith('\n')).toBe(true)
  })

  it('and into a file, with its units beside it', { tags: 'long' }, () => {
    const { code, out } = cairn('table', 'long-table.mcap', '--what', 'bodies', '--to', 'csv', '-o', 'b.csv', '--json')
    expect([code, JSON.parse(out)]).toStrictEqual([0, { status: 'completed', output: 'b.csv', what: 'bodies', format: 'csv', frames: 20001, complete: true }])
    expect(readFileSync(join(folder, 'b.csv-metadata.json'), 'utf8')).toContain('"schema:unitText": "m/s"')
    for (const to of ['npy', 'parquet']) expect(cairn('table', 'long-table.mcap', '--what', 'bodies', '--to', to, '-o', `b.${to}`).code).toBe(0)
    expect(statSync(join(folder, 'b.npy')).size).toBeGreaterThan(2 * 20001 * 13 * 8)
    expect(readFileSync(join(folder, 'b.parquet')).subarray(0, 4).toString()).toBe('PAR1')
  })
})

describe('Ctrl-C', () => {
  it('finishes the file and ends with 130', async () => {
    const path = sceneFile('long')
    const child = spawn(process.execPath, [cli, 'simulate', path, '--duration', '1000000', '--rate', '1000', '-o', 'long.mcap', '--json'], { cwd: folder })
    let out = ''
    child.stdout.on('data', data => out += String(data))
    const output = join(folder, 'long.mcap')
    await new Promise<void>(done => {
      const poll = setInterval(() => {
        if (!existsSync(output) || statSync(output).size < 2e5) return
        clearInterval(poll)
        done()
      }, 20)
    })
    child.kill('SIGINT')
    expect(await new Promise(done => child.on('exit', done))).toBe(130)
    const result = JSON.parse(out) as { status: string; frames: number; complete: boolean }
    expect(result).toMatchObject({ status: 'cancelled', complete: true })
    const reader = new TrajectoryReader(output)
    expect(reader).toMatchObject({ complete: true, frames: result.frames })
    expect(reader.end).toMatchObject({ status: 'cancelled', frames: result.frames })
    reader.close()
  })
})

describe('what is refused before the first frame ends with 2, says where and what, and writes nothing', () => {
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

  it('NaN and numbers beyond all bounds', () => {
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

  it('files that are missing, folders, no text, no trajectory', { tags: 'long' }, () => {
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

  it('an output that cannot be created, or would replace the scene', () => {
    const path = sceneFile('outputs')
    const below = cairn('simulate', path, '-o', join(path, 'run.mcap'), '--json')
    expect(below.code).toBe(2)
    expect(errors(below)[0]).toMatchObject({ name: 'OutputNotCreated', value: join(path, 'run.mcap'), message: `"${join(path, 'run.mcap')}" cannot be created: its folder is a file.` })
    mkdirSync(join(folder, 'taken.mcap'), { recursive: true })
    expect(errors(cairn('simulate', path, '-o', 'taken.mcap', '--json'))[0]).toMatchObject({ name: 'OutputNotCreated' })
    expect(errors(cairn('simulate', path, '-o', path, '--json'))[0]).toMatchObject({ name: 'Usage' })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ name: 'Ball' })
  })

  it('a time beyond the run, with the times that there are', () => {
    expect(cairn('simulate', sceneFile('times'), '-o', 'times.mcap').code).toBe(0)
    const answer = cairn('inspect', 'times.mcap', '--time', '1.5', '--json')
    expect(answer.code).toBe(2)
    expect(errors(answer)[0]).toMatchObject({ name: 'TimeOutOfRange', value: 1.5, allowed: '0 to 1 s' })
  })
})

describe('what began and had to stop ends with 1, says why, and keeps what there is', () => {
  const late = (statement: string) => withScript(`export default function (ctx: ForceContext) {\n  if (ctx.time > 0.3) {\n    ${statement}\n  }\n}`)
  it.each([
    ['throws', late(`throw new RangeError('enough')`), /enough/, 3],
    ['loops', late('let n = 0; while (true) { n = n + 1 }'), /too long/, 2], // a loop without calls has the place of what came before
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

  it('a truncated trajectory is read, and says so', { tags: 'long' }, () => {
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
