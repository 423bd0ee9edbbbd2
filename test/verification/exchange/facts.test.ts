/** Every file of the corpus is converted, with the facts stated for it, or refused with a reason. */

import { describe, expect, it } from 'vitest'
import { bodyMass } from '../../../core/analysis/solids'
import { FormatError } from '../../../core/formats'
import { principalInertia } from '../../../core/formats/shared/inertia'
import { parseScene, type ResolvedScene } from '../../../core/scene'
import { corpusFiles, fileAt, hasImporter, imported, type CorpusFile, type MujocoBody } from './corpus'

const KEEP: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  mjcf: { fixedLinks: 'keep', keyframe: 'none', actuators: false }, urdf: { fixedLinks: 'keep', root: 'fixed' },
}

/** Files that cannot be converted completely, with the reason of the refusal. */
const REFUSED: Readonly<Record<string, RegExp>> = {}

function resolved(scene: object): ResolvedScene {
  const parsed = parseScene(scene)
  if (!parsed.ok) throw new Error(parsed.problems.map(problem => problem.message).join('\n'))
  return parsed.resolved
}

const near = (value: number, expected: number, scale: number): void => expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * scale)

/** MuJoCo prints twelve digits. */
function compareBodies(file: CorpusFile, scene: ResolvedScene): void {
  const between = (id: string): boolean => id.includes('.') && scene.bodies.some(body => body.id === id.slice(0, id.indexOf('.')))
  const order = scene.bodies.filter(body => !between(body.id) && (file.format === 'urdf' || body.id !== 'world'))
  file.expected.mujoco!.bodies.slice(1).forEach((body: MujocoBody, i) => {
    const found = file.format === 'urdf' ? order.find(one => one.id === body.name) : order[i]
    // A link of no mass that hangs fixed is part of its parent.
    if (found === undefined && body.mass <= 1e-9) return
    expect(found, body.name).toBeDefined()
    if (body.mass <= 1e-9 || found!.mass === undefined) return
    const { mass, centerOfMass, inertia } = bodyMass(found!, [])
    // MuJoCo stores mesh vertices in single precision, so values computed from them are accurate to 1e-7.
    const single = /mesh_files":\["/.test(JSON.stringify(file.expected.facts)) ? 100 : 1
    near(mass, body.mass, single * body.mass)
    body.com_local.forEach((value, k) => near(centerOfMass[k]!, value, 1 + Math.abs(value)))
    const moments = [...principalInertia(inertia).moments].sort((a, b) => b - a)
    const stated = [...body.inertia_principal].sort((a, b) => b - a)
    // If the inertia in the file is impossible, MuJoCo and Cairn correct it differently.
    if (stated.every(moment => moment > 1e-8)) stated.forEach((moment, k) => near(moments[k]!, moment, single * stated[0]!))
  })
}

const files = corpusFiles().filter(hasImporter)

describe.skipIf(files.length === 0)('files of other runtimes', () => {
  it.each(files.map(file => [file.name, file] as const))('%s', async (name, file) => {
    const refusal = REFUSED[name]
    if (refusal !== undefined) {
      await expect(imported(file, KEEP[file.format])).rejects.toThrow(refusal)
      return
    }
    const result = await imported(file, KEEP[file.format])
    for (const loss of result.losses) expect([loss.path, loss.message, loss.instead].every(text => text !== '' && !text.endsWith('.'))).toBe(true)
    const scene = resolved(result.scene)
    const { mujoco } = file.expected
    if (mujoco?.bodies === undefined || (file.format !== 'mjcf' && file.format !== 'urdf')) return
    const weightless = file.format === 'mjcf' && /gravity="disable"/.test(fileAt(file.path).content as string)
    if (weightless) expect(scene.gravity).toEqual([0, 0, 0])
    else mujoco.gravity.forEach((value, k) => near(scene.gravity[k]!, value, 10))
    compareBodies(file, scene)
    const count = (...types: string[]): number => types.reduce((sum, type) => sum + (mujoco.joints_by_type[type] ?? 0), 0)
    const ours = (type: string): number => scene.joints.filter(joint => joint.type === type).length
    const universal = ours('universal')
    const cylindrical = ours('cylindrical')
    expect(ours('hinge') + 2 * universal + cylindrical).toBe(count('hinge'))
    expect(ours('slider') + cylindrical).toBe(count('slide'))
    if (file.format === 'mjcf') expect(ours('ball')).toBeGreaterThanOrEqual(count('ball'))
  })

  it('are refused with a reason, never with a crash, when they are cut short', async () => {
    for (const file of files) {
      for (const share of [0.1, 0.5, 0.9]) {
        const cut = (text: string): string => text.slice(0, Math.floor(text.length * share))
        await imported(file, KEEP[file.format], cut).then(() => undefined, (error: unknown) => {
          const known = error instanceof FormatError || (error instanceof Error && /is taken for no format/.test(error.message))
          expect(known, `${file.name} at ${share}: ${String(error)}`).toBe(true)
        })
      }
    }
  })
})
