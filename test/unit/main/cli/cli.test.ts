import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENGINE_VERSION } from '../../../../core/simulation'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { commandLine, json, withScript } from './command-line'

const { cairn, folder, sceneFile, path: cliPath } = commandLine()

const fallTime = Math.sqrt(2 / 9.81)

describe('a run from the command line', () => {
  it('simulates, and prints one JSON object with every documented key', () => {
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
    // Progress goes to standard error only; the file is written beside the scene.
    expect(answer.err).not.toContain('{')
    expect(existsSync(join(folder, 'ball.mcap'))).toBe(true)
  })

  it('inspects the file without the scene: impacts at their exact time, states between frames from the motion itself', { tags: 'long' }, () => {
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

  it('writes tables with every digit', { tags: 'long' }, () => {
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

  it('takes changes from flags, by path, index and id, and records the changed scene', () => {
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

  it('exports to MJCF, at the start or at the end of a run', { tags: 'long' }, () => {
    const path = sceneFile('export')
    expect(cairn('simulate', path, '-o', 'export.mcap').code).toBe(0)
    expect(json(cairn('export', path, '--to', 'mjcf', '-o', 'export.xml', '--json'))).toMatchObject({ status: 'completed', files: ['export.xml'] })
    expect(readFileSync(join(folder, 'export.xml'), 'utf8')).toContain('<mujoco')
    expect(cairn('export', path, '--to', 'mjcf', '-o', 'later.xml', '--from', 'export.mcap', '--at', '0.3').code).toBe(0)
    expect(readFileSync(join(folder, 'later.xml'), 'utf8')).not.toBe(readFileSync(join(folder, 'export.xml'), 'utf8'))
  })
})

describe('a table into a pipe', () => {
  it('is complete, whatever its size', { tags: 'long' }, () => {
    expect(cairn('simulate', sceneFile('long-table'), '-o', 'long-table.mcap', '--rate', '20000').code).toBe(0)
    const { code, out, err } = cairn('table', 'long-table.mcap', '--what', 'bodies', '--to', 'csv')
    expect([code, err]).toStrictEqual([0, ''])
    expect(out.length).toBeGreaterThan(2e6) // more than one write of the pipe, 1 MiB
    expect(out.trimEnd().split('\n')).toHaveLength(1 + 2 * 20001)
    expect(out.endsWith('\n')).toBe(true)
  })

  it('into a file has its units beside it', { tags: 'long' }, () => {
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
    const child = spawn(process.execPath, [cliPath(), 'simulate', path, '--duration', '1000000', '--rate', '1000', '-o', 'long.mcap', '--json'], { cwd: folder })
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
