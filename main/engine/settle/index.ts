/** Lets bodies fall until they rest, by the engine itself, and says where they lie then. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseScene, type Scene } from '../../../core/scene'
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { HostError } from '../../protocol/host'
import type { Settled } from '../../protocol/settle'
import { launchRun, type LaunchedRun } from '../../run/launch'
import { TrajectoryReader } from '../reader'
import { refusal } from '../runs'
import { settlingScene } from './settling-scene'

/** Drops that are under way, by the tickets of those who asked. */
export class Settling {
  private readonly running = new Map<string, LaunchedRun>()

  constructor(private readonly workerUrl: URL | undefined) {}

  /** @throws HostError why the bodies cannot fall: they overlap, are no dynamic bodies, or the scene is invalid; `Cancelled` */
  async start(ticket: string, text: string, ids: readonly string[]): Promise<Settled> {
    const parsed = parseScene(text)
    if (!parsed.ok) throw refusal(parsed.problems)
    const chosen = movable(parsed.scene, ids)
    const folder = mkdtempSync(join(tmpdir(), 'cairn-settle-'))
    try {
      const path = join(folder, 'settle.mcap')
      await this.run(ticket, JSON.stringify(settlingScene(parsed.scene, new Set(chosen))), path, chosen.length)
      return read(path, chosen)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  cancel(ticket: string): void {
    void this.running.get(ticket)?.terminate()
  }

  dispose(): void {
    for (const run of this.running.values()) void run.terminate()
  }

  private async run(ticket: string, scene: string, path: string, count: number): Promise<void> {
    this.cancel(ticket)
    let finished = false
    let problem: HostError | null = null
    let own: LaunchedRun | null = null
    const launched = launchRun({ scene, output: path }, report => {
      if (report.kind === 'refused') problem = refusal(report.problems)
      else if (report.kind === 'failed') problem = new HostError('RunFailed', report.message)
      else if (report.kind === 'ended' && report.problem) problem = new HostError(report.problem.name, report.problem.message, [report.problem])
      finished ||= report.kind === 'refused' || report.kind === 'failed' || report.kind === 'ended'
      // Once everything sleeps, what follows is the same frame again.
      if (report.kind === 'flushed' && asleepIn(path, report.bytes) >= count) own?.cancel()
    }, this.workerUrl)
    own = launched
    this.running.set(ticket, launched)
    await launched.over
    if (this.running.get(ticket) === launched) this.running.delete(ticket)
    if (problem !== null) throw problem as HostError
    if (!finished) throw new HostError('Cancelled', 'The drop was cancelled.')
  }
}

function movable(scene: Scene, ids: readonly string[]): string[] {
  const chosen = new Set(ids)
  const dynamic = (scene.bodies ?? []).filter(body => chosen.has(body.id) && (body.type ?? 'dynamic') === 'dynamic')
  if (dynamic.length > 0) return dynamic.map(body => body.id)
  const message = 'Nothing that is selected falls: only dynamic bodies do'
  throw new HostError('Refused', message, [{ name: 'NothingFalls', severity: 'error', message, path: 'bodies', ids: [...ids], allowed: 'at least one dynamic body' }])
}

function asleepIn(path: string, bytes: number): number {
  const reader = new TrajectoryReader(path, bytes)
  try {
    return reader.frames === 0 ? 0 : reader.certificate(reader.frames - 1).asleep.length
  } finally {
    reader.close()
  }
}

function read(path: string, chosen: readonly string[]): Settled {
  const reader = new TrajectoryReader(path)
  try {
    const { bodies, time } = reader.frame(reader.frames - 1)
    const asleep = new Set([...reader.certificate(reader.frames - 1).asleep].map(body => reader.header.bodyIds[body]!))
    const poses = chosen.map(id => {
      const at = reader.header.bodyIds.indexOf(id) * BODY_STRIDE
      const [x, y, z, qx, qy, qz, qw] = [...bodies.subarray(at, at + 7)] as [number, number, number, number, number, number, number]
      return { id, position: [x, y, z] as const, orientation: [qx, qy, qz, qw] as const }
    })
    return { time, resting: chosen.every(id => asleep.has(id)), poses }
  } finally {
    reader.close()
  }
}
