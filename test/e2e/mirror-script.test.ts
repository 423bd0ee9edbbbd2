// @module-tag long
/** A body with a script that pushes, brakes and twists it is mirrored, and moves as its mirror image. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scene } from '../../core/scene'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Pushed', gravity: [0, 0, 0], materials: [{ id: 'wood', density: 700 }],
  bodies: [{ id: 'kite', name: 'Kite', position: [1, 0.5, 2], orientation: [0.1, 0.2, 0.3, Math.sqrt(0.86)], angularVelocity: [1, 2, 3], shapes: [{ type: 'box', size: [0.6, 0.4, 0.2], material: 'wood' }] }],
  forces: [{ id: 'push', type: 'script', script: 'push.ts' }],
  scripts: [{ id: 'push.ts', source: [
    'const STRENGTH = 40', 'export default function (ctx: ForceContext): void {', '  const kite = ctx.body(\'kite\')', '  const [x, y, z] = kite.position', '  const [vx, vy, vz] = kite.velocityAt([x + 0.1, y, z])',
    '  kite.applyForce([STRENGTH - 3 * vx - x * x, 10 - 3 * vy, -3 * vz], [x, y + 0.1, z])', '  kite.applyTorque([0.5, kite.angularVelocity[2] * -0.1, kite.orientation[0]])', '}', '',
  ].join('\n') }],
  simulation: { duration: 0.5, outputRate: 60, method: 'event-driven' },
}

describe.skipIf(!chromium)('a person who mirrors what a script pushes', () => {
  let editor: Editor
  const host = sitting({
    scene: 'pushed.cairn.json', files: { 'pushed.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('pushed')
    },
  })
  /** Final position in the run whose scene contains, or does not contain, these words. */
  const atTheEnd = async (isImage: boolean) => {
    await editor.simulate()
    const run = host.runFiles().find(path => readFileSync(path).includes('Mirrored in the plane') === isImage)!
    return (JSON.parse(await host.cairn('inspect', run, '--time', '0.5', '--json')) as { bodies: { position: number[] }[] }).bodies[0]!.position
  }

  it('sees it move as the image does, and the script is the original again when it is mirrored back', async () => {
    const { page } = editor
    const before = await atTheEnd(false)
    await (await editor.outlinerItem('Kite')).click()
    await editor.menu('Edit', 'Model', 'Mirror along x')
    await page.keyboard.press('Control+s')
    await expect.poll(() => page.title()).not.toContain('●')
    const saved = JSON.parse(readFileSync(join(host.root, 'pushed.cairn.json'), 'utf8')) as Scene
    const plane = Number(/^\/\/ Mirrored in the plane x = (\S+)\.\n/.exec(saved.scripts![0]!.source)![1])
    const after = await atTheEnd(true)
    ;[2 * plane - before[0]!, before[1]!, before[2]!].forEach((x, k) => expect(after[k]!).toBeCloseTo(x, 6))
    expect(Math.hypot(before[0]! - 1, before[1]! - 0.5)).toBeGreaterThan(0.05)
    await editor.menu('Edit', 'Model', 'Mirror along x')
    await page.keyboard.press('Control+s')
    await expect.poll(() => page.title()).not.toContain('●')
    expect((JSON.parse(readFileSync(join(host.root, 'pushed.cairn.json'), 'utf8')) as Scene).scripts![0]!.source).toBe(scene.scripts[0]!.source)
  })
})
