// @module-tag long
import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McapIndexedReader } from '@mcap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TrajectoryReader } from '../../../../main/engine/reader'
import { launchRun } from '../../../../main/run/launch'
import { built, scenes, scratch, type Built } from '../built'

let shipped: Built
let home: string
beforeAll(async () => {
  shipped = built()
  home = scratch()
}, 300_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const hashes = (path: string): string[] => {
  const reader = new TrajectoryReader(path)
  const all = Array.from({ length: reader.frames }, (_, k) => `${reader.frame(k).time} ${reader.frame(k).hash}`)
  reader.close()
  return all
}

const cairn = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [shipped.cli, ...args], { encoding: 'utf8' })
  return { status, out: stdout === '' ? null : JSON.parse(stdout) as Record<string, unknown>, stderr }
}

/** A run with a script, in a thread; many checkpoints. */
const compute = (scene: string, output: string, start?: Parameters<typeof launchRun>[0]['start']) => new Promise<void>((done, fail) => {
  launchRun({ scene, output, checkpointWork: 150, ...(start ? { start } : {}) }, report => {
    if (report.kind === 'ended') done()
    if (report.kind === 'failed' || report.kind === 'refused') fail(new Error(JSON.stringify(report)))
  }, shipped.worker)
})

describe('a run that was interrupted', () => {
  it('continues in its file from any place at which it was cut off, with a script too, and gives the same frames', async () => {
    const scene = readFileSync(join(scenes, 'pushed-pendulum.cairn.json'), 'utf8')
    const whole = join(home, 'whole.mcap')
    await compute(scene, whole)
    const expected = hashes(whole)
    for (const share of [0.4, 0.97]) {
      const cut = join(home, 'cut.mcap')
      writeFileSync(cut, readFileSync(whole).subarray(0, Math.floor(share * statSync(whole).size)))
      const reader = new TrajectoryReader(cut)
      const checkpoint = reader.lastCheckpoint()!
      reader.close()
      expect(checkpoint.index).toBeGreaterThan(0)
      await compute(scene, cut, { kind: 'checkpoint', bytes: checkpoint.bytes, state: checkpoint.state })
      expect(hashes(cut)).toEqual(expected)
      const bytes = readFileSync(cut)
      const indexed = await McapIndexedReader.Initialize({
        readable: { size: async () => BigInt(bytes.length), read: async (at, length) => new Uint8Array(bytes.subarray(Number(at), Number(at + length))) },
      })
      const original = new TrajectoryReader(whole)
      expect([...indexed.channelsById.values()].map(({ topic, id }) => [topic, Number(indexed.statistics!.channelMessageCounts.get(id) ?? 0n)]).filter(([, count]) => count !== 0))
        .toEqual([...indexed.channelsById.values()].map(({ topic }) => [topic, original.count(topic as never)]).filter(([, count]) => count !== 0))
      original.close()
    }
  }, 300_000)

  it('is completed by cairn simulate --resume after kill −9; a complete one is left alone; another scene is refused', async () => {
    const scene = join(home, 'dominoes.cairn.json')
    copyFileSync(join(scenes, 'double-pendulum.cairn.json'), scene)
    const [output, other] = [join(home, 'killed.mcap'), join(home, 'undisturbed.mcap')]
    const args = ['simulate', scene, '--duration', '6', '--json', '-o']
    const child = spawn(process.execPath, [shipped.cli, ...args, output], { stdio: 'ignore' })
    while ((!existsSync(output) || statSync(output).size < 100_000) && child.exitCode === null) await new Promise(done => setTimeout(done, 5))
    child.kill('SIGKILL')
    await new Promise(done => child.once('close', done))
    expect(cairn('simulate', scene, '--duration', '5', '--resume', '--json', '-o', output)).toMatchObject({ status: 2, out: { errors: [{ name: 'OtherScene' }] } })
    const resumed = cairn(...args, output, '--resume')
    const undisturbed = cairn(...args, other)
    expect(resumed.status, resumed.stderr).toBe(0)
    expect(resumed.out!.finalHash).toBe(undisturbed.out!.finalHash)
    expect(hashes(output)).toEqual(hashes(other))
    const again = cairn('simulate', output, '--resume', '--json')
    expect([again.status, again.out!.finalHash]).toEqual([0, undisturbed.out!.finalHash])
    expect(again.stderr).toContain('complete')
    const from = cairn('simulate', scene, '--duration', '6', '--from', output, '--at', '5.5', '--json', '-o', join(home, 'from.mcap'))
    expect(from.status, from.stderr).toBe(0)
    expect(hashes(join(home, 'from.mcap'))[0]!.split(' ')[0]).toBe('5.5')
    expect(cairn('simulate', scene, '--duration', '6', '--from', output, '--at', '5.5001', '--json', '-o', join(home, 'x.mcap'))).toMatchObject({ status: 2, out: { errors: [{ name: 'Usage' }] } })
  }, 300_000)
})
