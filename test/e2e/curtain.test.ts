import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { shots } from './shots'
import { sitting } from './sitting'

describe.skipIf(!chromium)('a person who draws a curtain aside', () => {
  let editor: Editor
  sitting({ ready: opened => { editor = opened; return Promise.resolve() } })

  it('opens it from the gallery, runs it, and finds each ring where the servo took it', async () => {
    await editor.openExample('Curtain on ten rings')
    await editor.waitFor('curtain-on-rings')
    await editor.simulate()
    await editor.workspace('Simulate & inspect')
    await editor.goTo(3)
    expect(await editor.time()).toBeCloseTo(3, 6)
  })

  it('selects the curtain, and reads of it in the inspector', async () => {
    await editor.panel('Outliner')
    await (await editor.outlinerItem('Curtain')).click()
    await editor.panel('Inspector')
    await editor.inspector.getByText('Stretch along warp').first().waitFor()
    await shots(editor, 'curtain')
  })
})
