import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const box = (id: string, position: readonly number[]): object => ({ id, name: id, position, shapes: [{ type: 'box', size: [1, 1, 1], material: 'stone' }] })

/** A ball that bounces more often between two frames than the event-driven method allows. */
const bouncing = {
  format: 'cairn-scene', version: 1, name: 'Bouncing ball', materials: [{ id: 'rubber', density: 1000, friction: { static: 0, dynamic: 0 }, restitution: 0.7 }],
  bodies: [
    { id: 'floor', name: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
    { id: 'ball', name: 'ball', position: [0, 0, 0.11], shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] },
  ],
  simulation: { duration: 0.4, outputRate: 10, method: 'event-driven', eventDriven: { maxEventsPerFrame: 2 } },
}

/** A stack of two cubes solved by projected Gauss–Seidel. */
const scene = {
  format: 'cairn-scene', version: 1, name: 'Two cubes', materials: [{ id: 'stone', density: 1000, friction: { static: 0.5, dynamic: 0.5 }, restitution: 0 }],
  bodies: [
    { id: 'floor', name: 'floor', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'stone' }] },
    box('lower', [0, 0, 0.5]), box('upper', [0.2, 0.1, 1.5]),
  ],
  simulation: { duration: 0.2, outputRate: 60, method: 'time-stepping', timeStepping: { solver: 'gauss-seidel' } },
}

describe.skipIf(!chromium)('a person who asks how a time step was solved', () => {
  let editor: Editor
  const host = sitting({
    scene: 'cubes.cairn.json', files: { 'cubes.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('cubes')
      await editor.simulate()
      await editor.goTo(0.1)
      await editor.workspace('Simulate & inspect')
    },
  })

  it('sees the residual after each sweep, and the islands with what is left', async () => {
    await editor.panel('Accuracy')
    const section = editor.page.getByRole('region', { name: 'Solver residual' })
    await section.getByRole('img', { name: /^Residual after each sweep: \d+ sweep/ }).waitFor()
    expect(await section.getByRole('table', { name: 'Islands solved' }).getByRole('row').count()).toBe(2)
    await section.getByRole('button', { name: 'Plot over time' }).click()
    await editor.page.locator('.chart').first().waitFor()
  })

  it('keeps the contact chosen when a menu is closed with Esc, and the status line names it', async () => {
    await editor.panel('Contacts')
    const row = editor.contacts.getByRole('row').nth(1)
    await row.click()
    await editor.page.getByRole('menubar').getByRole('menuitem', { name: 'View', exact: true }).click()
    await editor.page.getByRole('menu').waitFor()
    await editor.page.keyboard.press('Escape')
    await editor.page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await row.getAttribute('aria-selected')).toBe('true')
    await editor.page.getByRole('contentinfo', { name: 'Status' }).getByText(/^Contact: \w+ on \w+$/).waitFor()
  })

  it('reads what each setting and each of its values means, by pointer and by keyboard', async () => {
    await editor.panel('Inspector')
    await editor.page.keyboard.press('Escape')
    const settings = editor.page.getByRole('region', { name: 'Scene properties' })
    const method = settings.getByRole('combobox', { name: 'Method' })
    await method.waitFor()
    await settings.getByText('Steps of a fixed length: for many bodies.').waitFor()
    await settings.getByText('Time-stepping', { exact: true }).click()
    await settings.getByText('Projected Gauss–Seidel sweeps, as in most engines.').waitFor()
    const tip = editor.page.getByRole('tooltip')
    await settings.getByText('Solver', { exact: true }).last().hover()
    await tip.getByText('Solver of the impulses of contacts and joints in a step.').waitFor()
    await method.focus()
    await editor.page.keyboard.press('Shift+Tab')
    await editor.page.keyboard.press('Tab')
    await tip.getByText('Method of computing the motion.').waitFor()
    expect(await method.getAttribute('aria-description')).toBe('Method of computing the motion.')
    const unexplained = await settings.locator('.line > .label:not(.help)').allTextContents()
    expect(unexplained).toEqual([])
  })

  it('sees what constraint a contact is, and between which kinds of features, in the editor and on the command line', async () => {
    await editor.panel('Contacts')
    await editor.contacts.getByRole('row').nth(1).click()
    await editor.page.getByText('Solver details').click()
    const details = editor.page.getByLabel('Solver details')
    await details.getByText(/^[UIX] \((unilateral|inter|cross)\)$/).waitFor()
    await details.getByText(/^(vertex|edge|face)–(vertex|edge|face)$/).waitFor()
    const { contacts } = JSON.parse(await host.cairn('inspect', host.runFiles()[0]!, '--time', '0.1', '--contacts', '--json')) as { contacts: { constraint: string; features: string[] }[] }
    for (const { constraint } of contacts) expect(['unilateral', 'inter', 'cross']).toContain(constraint)
  })

  it('compares it with a run by another method, and is told which is which', async () => {
    await editor.panel('Inspector')
    await editor.page.keyboard.press('Escape')
    await editor.page.getByRole('region', { name: 'Scene properties' }).getByRole('combobox', { name: 'Method' }).selectOption('event-driven')
    await editor.simulate()
    await editor.panel('Runs')
    const runs = editor.page.getByRole('table', { name: 'Runs' })
    await runs.getByText('event-driven, dantzig · Two cubes', { exact: true }).waitFor()
    const other = runs.getByRole('row').filter({ hasText: 'time-stepping, gauss-seidel · Two cubes' })
    expect((await other.getByText('time-stepping').boundingBox())!.width).toBeLessThanOrEqual((await other.boundingBox())!.width)
    await other.getByRole('button', { name: /^Compare with/ }).click()
    await editor.page.getByRole('region', { name: 'Differences' }).getByText(/^(They diverge (at|from) |The same motion up to 0\.20 s, to 10 nm)/).waitFor()
  })
})

describe.skipIf(!chromium)('a person whose run fell back to the other method', () => {
  let editor: Editor
  sitting({
    scene: 'bouncing.cairn.json', files: { 'bouncing.cairn.json': bouncing },
    ready: async opened => {
      editor = opened
      await editor.waitFor('bouncing')
      await editor.simulate()
      await editor.goTo(0.1)
      await editor.workspace('Simulate & inspect')
    },
  })

  it('reads in the accuracy panel how often, and for how long', async () => {
    await editor.panel('Accuracy')
    const note = editor.page.getByRole('note', { name: 'Fall-backs' })
    await note.waitFor()
    expect(await note.textContent()).toMatch(/^\s*Less exact (once|\d+ times) in this run, in 0\.\d+ s of the simulated time\.\s*List them\s*$/)
  })

  it('lists them, with what happened in words, and goes to one of them', async () => {
    await editor.page.getByRole('note', { name: 'Fall-backs' }).getByRole('button', { name: 'List them' }).click()
    const events = editor.page.getByRole('table', { name: 'Events' })
    const [first, ...others] = await events.getByRole('row').filter({ hasText: 'Less exact' }).all()
    expect(await first!.textContent()).toMatch(/: the interval up to 0\.\d{1,6} s is finished by time-stepping/)
    expect(others.length + 2).toBe(await events.getByRole('row').count())
    await editor.goTo(0.4)
    const time = first!.getByRole('button')
    await time.click()
    await expect.poll(() => editor.time()).toBeCloseTo(Number((await time.getAttribute('title'))!.replace(' s', '')), 9)
  })

  it('lists every impact, and finds those of one body', async () => {
    await editor.page.getByRole('combobox', { name: 'Kinds of events' }).selectOption('Impacts')
    const rows = editor.page.getByRole('table', { name: 'Events' }).getByRole('row').filter({ hasText: 'Impact' })
    await expect.poll(() => rows.count()).toBeGreaterThan(1)
    expect(await rows.first().textContent()).toMatch(/ball on floor|floor on ball/)
    expect(await rows.first().textContent()).toMatch(/N s, .* → .* m\/s/)
    await editor.page.getByRole('searchbox', { name: 'Filter events' }).fill('nobody')
    await editor.page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(1)
  })
})
