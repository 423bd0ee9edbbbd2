/** A run that is made only for a result: in a thread like every run, with its file in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostError } from '../protocol/host'
import { launchRun, type LaunchedRun } from '../run/launch'
import { TrajectoryReader } from './reader'
import { refusal } from './refusal'

/** At most one run per ticket: a new one cancels the former. */
export class BriefRuns {
  private readonly running = new Map<string, LaunchedRun>()

  constructor(private readonly workerUrl: URL | undefined) {}

  /**
   * @param read of the finished file
   * @param enough checked whenever the file grows: true ends the run
   * @throws HostError the reason of a refusal or stop; `Cancelled` if ended from outside
   */
  async of<T>(ticket: string, scene: string, read: (reader: TrajectoryReader) => T, enough: (reader: TrajectoryReader) => boolean = () => false): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-brief-'))
    try {
      const path = join(folder, 'run.mcap')
      await this.run(ticket, scene, path, enough)
      return withReader(new TrajectoryReader(path), read)
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

  private async run(ticket: string, scene: string, path: string, enough: (reader: TrajectoryReader) => boolean): Promise<void> {
    this.cancel(ticket)
    let finished = false
    let problem: HostError | null = null
    let own: LaunchedRun | null = null
    const launched = launchRun({ scene, output: path }, report => {
      if (report.kind === 'refused') problem = refusal(report.problems)
      else if (report.kind === 'failed') problem = new HostError('RunFailed', report.message)
      else if (report.kind === 'ended' && report.problem) problem = new HostError(report.problem.name, report.problem.message, [report.problem])
      finished ||= report.kind === 'refused' || report.kind === 'failed' || report.kind === 'ended'
      if (report.kind === 'flushed' && withReader(new TrajectoryReader(path, report.bytes), enough)) own?.cancel()
    }, this.workerUrl)
    own = launched
    this.running.set(ticket, launched)
    await launched.over
    if (this.running.get(ticket) === launched) this.running.delete(ticket)
    if (problem !== null) throw problem as HostError
    if (!finished) throw new HostError('Cancelled', 'It was cancelled.')
  }
}

function withReader<T>(reader: TrajectoryReader, use: (reader: TrajectoryReader) => T): T {
  try {
    return use(reader)
  } finally {
    reader.close()
  }
}
