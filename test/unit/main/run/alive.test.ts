/** Files that name a process: their owner is looked up by its id, which the machine gives to others after a restart. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { SweepFolder } from '../../../../main/batch/folder'
import { Drafts } from '../../../../main/engine/drafts'
import { isAlive } from '../../../../main/run/alive'

const folder = mkdtempSync(join(tmpdir(), 'cairn-alive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A process that runs and is not this one. */
const other = process.ppid
/** Never a process. */
const nobody = 2 ** 22 + 1
const beforeTheMachineStarted = Date.now() - uptime() * 1000 - 3_600_000

describe('a process that a file names', () => {
  it('runs if its id is in use and has not been since before the machine started', () => {
    expect(isAlive(other, Date.now())).toBe(true)
    expect(isAlive(other, beforeTheMachineStarted)).toBe(false)
    expect(isAlive(nobody, Date.now())).toBe(false)
    expect(isAlive(0, Date.now())).toBe(false)
    expect(isAlive(process.pid, Date.now())).toBe(false)
  })

  it('keeps its unsaved work to itself until the machine is restarted, whoever has its id then', () => {
    const drafts = new Drafts(folder)
    const left = (draft: string, pid: number, savedAt: number) => writeFileSync(join(folder, `${draft}.json`), JSON.stringify({ draft, name: draft, text: '{}', savedAt, pid }))
    left('running', other, Date.now())
    left('restarted', other, beforeTheMachineStarted)
    left('ended', nobody, Date.now())
    expect(drafts.left().map(({ draft }) => draft)).toEqual(['ended', 'restarted'])
  })

  it('holds a folder of a sweep until the machine is restarted', () => {
    const path = join(folder, 'sweep')
    const lock = join(path, 'rows', 'lock')
    mkdirSync(join(path, 'rows'), { recursive: true })
    writeFileSync(lock, JSON.stringify({ pid: other, host: hostname() }))
    expect(() => new SweepFolder(path).lock(null)).toThrow(`is being written by process ${other}.`)
    utimesSync(lock, beforeTheMachineStarted / 1000, beforeTheMachineStarted / 1000)
    new SweepFolder(path).lock(null).release()
  })
})
