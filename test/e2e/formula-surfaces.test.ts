// @module-tag long
import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const scene = {
  format: 'cairn-scene', version: 1, name: 'Formulas',
  materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }],
}

interface Saved {
  bodies: { id: string; position: number[]; shapes: { type: string; formula?: string }[] }[]
}

describe.skipIf(!chromium)('a person who makes a body by a formula', () => {
  let editor: Editor
  const host = sitting({
    scene: 'formulas.cairn.json', files: { 'formulas.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('formulas')
    },
  })
  const saved = async (): Promise<Saved> => {
    await editor.page.keyboard.press('Control+s')
    await editor.page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    return JSON.parse(readFileSync(join(host.root, 'formulas.cairn.json'), 'utf8')) as Saved
  }
  const shot = async (name: string) => {
    if (process.env.CAIRN_SHOTS) await editor.page.screenshot({ path: join(process.env.CAIRN_SHOTS, `${name}.png`) })
  }

  it('adds an egg that stands on the ground, and changes its formula', async () => {
    await editor.menu('Add', 'Implicit surface')
    const formula = editor.page.getByRole('textbox', { name: /^Formula/ })
    await formula.waitFor()
    await shot('implicit-added')
    const { bodies: [, egg] } = await saved()
    expect(egg!.position[2]).toBeCloseTo(0.3, 9)
    await formula.fill('(x/0.4)^2 + (y/0.3)^2 + (z/0.2)^2 - 1')
    await formula.press('Enter')
    expect((await saved()).bodies[1]!.shapes[0]!.formula).toBe('(x/0.4)^2 + (y/0.3)^2 + (z/0.2)^2 - 1')
    await shot('implicit-changed')
  })

  it('is told where a formula is wrong, and why a surface is refused', async () => {
    const formula = editor.page.getByRole('textbox', { name: /^Formula/ })
    await formula.fill('(x/0.4)^2 + (w/0.3)^2 - 1')
    await formula.press('Enter')
    await editor.page.getByRole('alert').filter({ hasText: /There is no variable "w"/ }).first().waitFor()
    await shot('implicit-fault')
    await formula.fill('x^4 + y^4 + z^4 - 0.01')
    await formula.press('Enter')
    await editor.page.getByText(/not strictly convex/).first().waitFor()
    await editor.page.keyboard.press('Control+z')
    await editor.page.keyboard.press('Control+z')
    expect((await saved()).bodies[1]!.shapes[0]!.formula).toBe('(x/0.4)^2 + (y/0.3)^2 + (z/0.2)^2 - 1')
  })

  it('adds a surface by parameters, and runs both', async () => {
    await editor.menu('Add', 'Parametric surface')
    await editor.page.getByRole('textbox', { name: /^X of u and v/ }).waitFor()
    await shot('parametric-added')
    await editor.page.setViewportSize({ width: 1024, height: 700 })
    await shot('parametric-small')
    await editor.page.setViewportSize({ width: 1440, height: 900 })
    await editor.simulate()
    await shot('formula-run')
    expect(editor.faults).toEqual([])
  })
})
