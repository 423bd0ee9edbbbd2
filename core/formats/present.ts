/** Exports the joints present at the start of a scene: other formats have no joints that appear later. */

import type { ResolvedScene } from '../scene'
import type { Exporter, Loss } from './format'

/** The exporter's result, with the removed elements among the losses. */
export async function exported(exporter: Exporter, scene: ResolvedScene, ...rest: Rest): Promise<Awaited<ReturnType<Exporter['run']>>> {
  const present = presentAtStart(scene)
  const result = await exporter.run(present.scene, ...rest)
  return { ...result, losses: [...present.losses, ...result.losses] }
}

type Rest = Parameters<Exporter['run']> extends readonly [unknown, ...infer Others] ? Others : never

/** The scene without joints that appear later; sensors on them are reported as losses. */
function presentAtStart(scene: ResolvedScene): { readonly scene: ResolvedScene; readonly losses: readonly Loss[] } {
  const comesLater = (joint: ResolvedScene['joints'][number]): boolean => joint.type !== 'gear' && (joint.spawnTime ?? 0) > 0
  const later = new Set(scene.joints.filter(comesLater).map(({ id }) => id))
  const losses = scene.joints.flatMap((joint, i): Loss[] => {
    if (joint.type === 'gear') return []
    if (later.has(joint.id)) return [{ path: `joints[${i}].spawnTime`, message: `Joint "${joint.id}" appears at ${joint.spawnTime} s`, instead: 'nothing, and no sensor on it' }]
    return joint.removeTime === undefined ? [] : [{ path: `joints[${i}].removeTime`, message: `Joint "${joint.id}" disappears at ${joint.removeTime} s`, instead: 'a joint that stays' }]
  })
  if (later.size === 0) return { scene, losses }
  const there = { ...scene, joints: scene.joints.filter(({ id }) => !later.has(id)), sensors: scene.sensors.filter(sensor => sensor.type !== 'joint' || !later.has(sensor.joint)) }
  return { scene: there, losses }
}
