// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who draws a curtain aside', () => {
  let editor: Editor
  const host = sitting({ ready: opened => { editor = opened; return Promise.resolve() } })

  it('opens it from the gallery, runs it, and finds each ring where the servo took it', async () => {
    await editor.openExample('Curtain on ten rings')
    await editor.waitFor('curtain-on-rings')
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.goTo(3)
    expect(await editor.time()).toBeCloseTo(3, 6)
    const told = JSON.parse(await host.cairn('inspect', host.runFiles().at(-1)!, '--time', '3', '--json')) as { bodies: { id: string; position: number[] }[] }
    const along = Array.from({ length: 10 }, (_, k) => told.bodies.find(({ id }) => id === `ring-${k + 1}`)!.position[0]!)
    // The first ring has moved 0.9 m, less the pull of the cloth; the last stays; the others are evenly spaced between them.
    expect(Math.abs(along[0]!)).toBeLessThanOrEqual(5e-3)
    along.forEach((x, k) => { expect(Math.abs(x - (along[0]! + k / 9 * (along[9]! - along[0]!)))).toBeLessThanOrEqual(1e-6) })
  })

  it('selects the curtain, and reads its values in the inspector', async () => {
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Curtain')).click()
    await editor.panel('Inspector')
    await editor.inspector.getByText('Stretch along warp').first().waitFor()
    await shots(editor, 'curtain')
  })
})
