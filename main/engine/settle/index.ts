/** Puts bodies down: dynamic ones fall to rest in a simulation, others are moved straight down. Returns their final poses. */
import { add, length, scale, type Vec3 } from '../../../core/math/vector'
import { withRigidDeformables, withRigidInstances } from '../../../core/modelling'
import { parseDocument, prefabLibrary, type Scene } from '../../../core/scene'
import { check, wayDown, wayOut } from '../../../core/simulation'
import { BODY_STRIDE } from '../../../core/trajectory/frame'
import { HostError } from '../../protocol/host'
import type { Settled } from '../../protocol/settle'
import type { BriefRuns } from '../brief-run'
import type { TrajectoryReader } from '../reader'
import { refusal } from '../refusal'
import { settlingScene } from './settling-scene'

/**
 * An instance of a prefab falls as one rigid body, whether or not its parts are fixed in a run. A deformable keeps its shape: it falls alone, or with the
 * one body that holds it. Bodies that overlap others are moved up until they are free, and fall from there. If only fixed and kinematic bodies are chosen,
 * they are moved straight down as one until they touch something.
 * @param ids of bodies, deformables and instances
 * @param straight whether dynamic bodies are moved straight down too, with the others
 * @throws HostError why the bodies cannot be dropped: they overlap each other, nothing is below them, or the scene is invalid; `Cancelled`
 */
export async function settle(runs: BriefRuns, ticket: string, text: string, ids: readonly string[], straight: boolean): Promise<Settled> {
  const parsed = parseDocument(text, prefabLibrary())
  if (!parsed.ok) throw refusal(parsed.problems)
  const { scene: solid, placed } = withRigidDeformables(parsed.scene, ids)
  const scene = withRigidInstances(solid, new Set(placed))
  const { chosen, fall } = movable(scene, placed, straight)
  const { start, up } = lifted(settlingScene(scene, new Set(chosen)), chosen)
  if (!fall) return lowered(start, up, chosen)
  // Once all bodies sleep, all further frames are equal.
  return runs.of(ticket, JSON.stringify(start), reader => ({ ...settledIn(reader, chosen), lifted: up }), reader => asleepIn(reader) >= chosen.length)
}

/** The dynamic ones of them; if there are none, or if they are moved straight down, all that can be moved. */
function movable(scene: Scene, ids: readonly string[], straight: boolean): { readonly chosen: readonly string[]; readonly fall: boolean } {
  const wanted = new Set(ids)
  const bodies = (scene.bodies ?? []).filter(({ id, shapes = [] }) => wanted.has(id) && !shapes.some(({ type }) => type === 'halfSpace'))
  const dynamic = bodies.filter(({ type = 'dynamic' }) => type === 'dynamic')
  if (dynamic.length > 0 && !straight) return { chosen: dynamic.map(({ id }) => id), fall: true }
  const solid = bodies.filter(({ shapes }) => shapes?.length)
  if (solid.length > 0) return { chosen: solid.map(({ id }) => id), fall: false }
  throw refused('NothingFalls', 'Nothing that is selected can be put down: it needs a shape of finite size', ids, 'at least one body of finite size or deformable')
}

function refused(name: string, message: string, ids: readonly string[], allowed: string): HostError {
  return new HostError('Refused', message, [{ name, severity: 'error', message, path: 'bodies', ids: [...ids], allowed }])
}

/** @returns the scene in which chosen bodies have been moved up as one, where they overlap nothing else; unchanged if there is no such place */
function lifted(scene: Scene, chosen: readonly string[]): { readonly start: Scene; readonly up: number } {
  const { world } = check(scene)
  const up = (world && wayOut(world, gravityOf(scene), new Set(chosen))) ?? 0
  return { start: up === 0 ? scene : moved(scene, chosen, up), up }
}

function lowered(scene: Scene, up: number, chosen: readonly string[]): Settled {
  const { world, problems } = check(scene)
  if (!world || problems.some(({ severity }) => severity === 'error')) throw refusal(problems)
  const down = wayDown(world, gravityOf(scene), new Set(chosen))
  if (down === null) throw refused('NothingBelow', 'Nothing is below what is selected', chosen, 'a body or a ground below')
  const poses = moved(scene, chosen, -down).bodies!.filter(({ id }) => chosen.includes(id))
  return {
    time: 0, resting: true, lifted: up, lowered: down,
    poses: poses.map(({ id, position = [0, 0, 0], orientation = [0, 0, 0, 1] }) => ({ id, position, orientation })),
  }
}

const gravityOf = ({ gravity = [0, 0, -9.81] }: Scene): Vec3 => gravity

/** @param up m, against gravity */
function moved(scene: Scene, chosen: readonly string[], up: number): Scene {
  const gravity = gravityOf(scene)
  const way: Vec3 = length(gravity) > 0 ? scale(gravity, -up / length(gravity)) : [0, 0, up]
  const shift = <T extends { position?: Vec3 }>(one: T): T => ({ ...one, position: add(one.position ?? [0, 0, 0], way) })
  return { ...scene, bodies: (scene.bodies ?? []).map(body => chosen.includes(body.id) ? shift(body) : body) }
}

const asleepIn = (reader: TrajectoryReader) => reader.frames === 0 ? 0 : reader.certificate(reader.frames - 1).asleep.length

function settledIn(reader: TrajectoryReader, chosen: readonly string[]): Omit<Settled, 'lifted'> {
  const { bodies, time } = reader.frame(reader.frames - 1)
  const asleep = new Set([...reader.certificate(reader.frames - 1).asleep].map(body => reader.header.bodyIds[body]!))
  const poses = chosen.map(id => {
    const at = reader.header.bodyIds.indexOf(id) * BODY_STRIDE
    const [x, y, z, qx, qy, qz, qw] = [...bodies.subarray(at, at + 7)] as [number, number, number, number, number, number, number]
    return { id, position: [x, y, z] as const, orientation: [qx, qy, qz, qw] as const }
  })
  return { time, resting: chosen.every(id => asleep.has(id)), lowered: null, poses }
}
