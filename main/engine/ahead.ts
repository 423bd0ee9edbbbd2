/**
 * Recording ahead: while nothing else happens, the example scenes without a recorded run are simulated one after another, so that each of them has a
 * trajectory when it is opened. The runs go to the cache, under the same keys as the user's; they are the first ones that the cache deletes.
 *
 * It is bounded: one run at a time, limited in time and in bytes, and every run of the user's ends it at once.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { AheadStatus, RunInfo } from '../protocol/runs'
import { writeWhole } from './files'
import { folderIn } from './home'
import { Runs } from './runs'

export interface AheadLimits {
  /** ms without a call of the engine before a run begins; shorter for the scene that was just opened. */
  readonly idle: number
  readonly opened: number
  /** ms of one run: a longer one is given up, and not tried again. */
  readonly run: number
  /** Bytes of all runs that were recorded ahead. */
  readonly bytes: number
}

/** Most examples take less than ten seconds; a page that is used calls the engine more often than every ten. */
const LIMITS: AheadLimits = { idle: 10_000, opened: 300, run: 30_000, bytes: 512 * 1024 * 1024 }

/** For the programs with an editor. Null on a machine with one processor, and if `CAIRN_RECORD_AHEAD` is 0. */
export function aheadLimits(environment: NodeJS.ProcessEnv = process.env): AheadLimits | null {
  return environment.CAIRN_RECORD_AHEAD === '0' || availableParallelism() < 2 ? null : LIMITS
}

/** An example scene. */
export interface AheadScene {
  readonly name: string
  readonly text: string
}

export class AheadRuns {
  private timer: NodeJS.Timeout | undefined
  /** The run in progress; its `id` is null until it has begun. */
  private current: { readonly key: string; readonly ticket: string; id: string | null } | null = null
  /** The scene that the user opened last, which is next. */
  private wanted: AheadScene | null = null
  private stopped = false
  /** Keys of the scenes that took too long. */
  private readonly givenUp: Set<string>
  private tickets = 0

  /** @param scenes read when they are needed @param changed receives what is recorded, or null @param trouble receives what failed, for the log */
  constructor(
    private readonly runs: Runs, private readonly home: string, private readonly scenes: () => readonly AheadScene[],
    private readonly changed: (status: AheadStatus | null) => void, private readonly trouble: (message: string) => void, private readonly limits: AheadLimits,
  ) {
    this.givenUp = readGivenUp(this.file)
    this.wait(limits.idle)
  }

  private get file(): string {
    return join(folderIn(this.home, 'ahead'), 'given-up.json')
  }

  /** The engine was called: the next run waits until it is idle again. */
  touched(): void {
    if (this.current === null) this.wait(this.wanted === null ? this.limits.idle : this.limits.opened)
  }

  /** An example was opened: its run is next. */
  opened(scene: AheadScene): void {
    this.wanted = scene
    if (this.current !== null && this.current.key !== keyOf(scene)) this.giveWay(null)
    this.touched()
  }

  /**
   * A run of the user's begins: ends the run in progress, unless it is the same one, which then is the user's. Does not wait for its end, so that a call of
   * the user's can be cancelled from the moment at which it is made.
   *
   * @param text null: any other work
   */
  giveWay(text: string | null): void {
    this.leave(text).catch((error: unknown) => this.trouble(`A run that was recorded ahead was not deleted: ${(error as Error).message}`))
  }

  private async leave(text: string | null): Promise<void> {
    const { current } = this
    if (current === null) return
    this.current = null
    this.changed(null)
    if (text === null || keyOf({ text }) !== current.key || current.id === null) {
      // `record` deletes a run that begins after this.
      if (current.id === null) this.runs.cancelStart(current.ticket)
      else await this.runs.delete(current.id)
    } else this.runs.touch(current.id)
    this.wait(this.limits.idle)
  }

  /** Ends recording ahead until the engine is started again. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.leave(null)
  }

  private wait(ms: number): void {
    clearTimeout(this.timer)
    if (this.stopped) return
    this.timer = setTimeout(() => {
      this.next().catch((error: unknown) => {
        this.stopped = true
        this.trouble(`Examples are not recorded ahead any more: ${(error as Error).message}`)
      })
    }, ms)
    this.timer.unref()
  }

  private async next(): Promise<void> {
    if (this.current !== null || this.stopped) return
    const all = this.runs.list()
    if (all.some(run => run.status === 'running')) return this.wait(this.limits.idle)
    if (this.runs.bytesAhead() >= this.limits.bytes) return
    const [wanted, scenes] = [this.wanted, this.scenes()]
    this.wanted = null
    const done = new Set(all.filter(run => run.status === 'completed').map(run => run.sceneHash))
    const lacking = (scene: AheadScene) => {
      const key = keyOf(scene)
      return key !== null && !done.has(key) && !this.givenUp.has(key)
    }
    const scene = [...wanted === null ? [] : [wanted], ...scenes].find(lacking)
    if (!scene) return
    await this.record(scene, { done: scenes.filter(one => !lacking(one)).length, of: scenes.length })
    if (!this.stopped) this.wait(this.wanted === null ? this.limits.opened : 0)
  }

  private async record(scene: AheadScene, count: { readonly done: number; readonly of: number }): Promise<void> {
    const key = Runs.keyOf(scene.text)
    const ticket = `ahead-${this.tickets++}`
    const own = { key, ticket, id: null as string | null }
    this.current = own
    this.changed({ name: scene.name, ...count })
    try {
      const { id } = await this.runs.start(scene.text, { reuse: true, ticket, ahead: true })
      own.id = id
      if (this.current !== own) return await this.runs.delete(id)
      const info = await this.finished(id)
      if (this.current !== own) return
      if (info?.status === 'completed') return
      this.giveUp(key)
      await this.runs.delete(id)
    } catch {
      // Refused, cancelled before it began, or without room on the disk: the scene is not tried again now.
      if (this.current === own) this.giveUp(key)
    } finally {
      if (this.current === own) {
        this.current = null
        this.changed(null)
      }
    }
  }

  /** The run once it has ended; null if it takes too long. */
  private async finished(id: string): Promise<RunInfo | null> {
    let late: NodeJS.Timeout | undefined
    const limit = new Promise<null>(resolve => { late = setTimeout(resolve, this.limits.run, null) })
    const ended = await Promise.race([this.runs.over(id).then(() => true), limit])
    clearTimeout(late)
    return ended === null ? null : this.runs.info(id)
  }

  private giveUp(key: string): void {
    this.givenUp.add(key)
    try {
      writeWhole(this.file, JSON.stringify([...this.givenUp]))
    } catch {
      // It is tried again after the next start.
    }
  }
}

/** Null for a text that is no scene. */
function keyOf({ text }: Pick<AheadScene, 'text'>): string | null {
  try {
    return Runs.keyOf(text)
  } catch {
    return null
  }
}

function readGivenUp(file: string): Set<string> {
  try {
    return new Set(z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))))
  } catch {
    return new Set()
  }
}
