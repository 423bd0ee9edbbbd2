/** Lets bodies fall to rest by a simulation, and returns their final poses. */
import { withRigidDeformables, withRigidInstances } from '../../../core/modelling'
import { parseDocument, prefabLibrary, type Scene } from '../../../core/scene'
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { HostError } from '../../protocol/host'
import type { Settled } from '../../protocol/settle'
import type { BriefRuns } from '../brief-run'
import type { TrajectoryReader } from '../reader'
import { refusal } from '../refusal'
import { settlingScene } from './settling-scene'

/**
 * An instance of a prefab falls as one rigid body, whether or not its parts are fixed in a run. A deformable keeps its shape: it falls alone, or with the
 * one body that holds it.
 * @param ids of bodies, deformables and instances
 * @throws HostError why the bodies cannot be dropped: they overlap, are not dynamic, or the scene is invalid; `Cancelled`
 */
export async function settle(runs: BriefRuns, ticket: string, text: string, ids: readonly string[]): Promise<Settled> {
  const parsed = parseDocument(text, prefabLibrary())
  if (!parsed.ok) throw refusal(parsed.problems)
  const { scene: solid, placed } = withRigidDeformables(parsed.scene, ids)
  const scene = withRigidInstances(solid, new Set(placed))
  const chosen = movable(scene, placed)
  const falling = JSON.stringify(settlingScene(scene, new Set(chosen)))
  // Once all bodies sleep, all further frames are equal.
  return runs.of(ticket, falling, reader => settledIn(reader, chosen), reader => asleepIn(reader) >= chosen.length)
}

function movable(scene: Scene, ids: readonly string[]): string[] {
  const chosen = new Set(ids)
  const dynamic = (scene.bodies ?? []).filter(body => chosen.has(body.id) && (body.type ?? 'dynamic') === 'dynamic')
  if (dynamic.length > 0) return dynamic.map(body => body.id)
  const message = 'Nothing that is selected falls: only dynamic bodies, deformables and instances of prefabs do'
  throw new HostError('Refused', message, [{ name: 'NothingFalls', severity: 'error', message, path: 'bodies', ids: [...ids], allowed: 'at least one dynamic body or deformable' }])
}

const asleepIn = (reader: TrajectoryReader) => reader.frames === 0 ? 0 : reader.certificate(reader.frames - 1).asleep.length

function settledIn(reader: TrajectoryReader, chosen: readonly string[]): Settled {
  const { bodies, time } = reader.frame(reader.frames - 1)
  const asleep = new Set([...reader.certificate(reader.frames - 1).asleep].map(body => reader.header.bodyIds[body]!))
  const poses = chosen.map(id => {
    const at = reader.header.bodyIds.indexOf(id) * BODY_STRIDE
    const [x, y, z, qx, qy, qz, qw] = [...bodies.subarray(at, at + 7)] as [number, number, number, number, number, number, number]
    return { id, position: [x, y, z] as const, orientation: [qx, qy, qz, qw] as const }
  })
  return { time, resting: chosen.every(id => asleep.has(id)), poses }
}
