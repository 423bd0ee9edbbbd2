/** The forces at the start, computed by the engine, before there is a run. */
import { parseScene } from '../../core/scene'
import type { ForcePreview } from '../protocol/runs'
import type { BriefRuns } from './brief-run'
import { refusal } from './refusal'

/** @throws HostError if the scene cannot run, or a script stops it; `Cancelled` */
export async function previewForces(runs: BriefRuns, ticket: string, text: string): Promise<ForcePreview> {
  const parsed = parseScene(text)
  if (!parsed.ok) throw refusal(parsed.problems)
  const { scene } = parsed
  const rate = parsed.resolved.simulation.outputRate
  const start = { ...scene, simulation: { ...scene.simulation, duration: 1 / rate } }
  return runs.of(ticket, JSON.stringify(start), reader => ({ forceIds: [...reader.header.forceIds], frame: reader.message('forces', 0) }))
}
