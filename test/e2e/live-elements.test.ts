// @module-tag long
import { describe, expect, it } from 'vitest'
import { chromium } from './chromium'
import type { Editor } from './editor'
import { sitting } from './sitting'

const ground = { id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }
const scene = {
  format: 'cairn-scene', version: 1, name: 'Yard', materials: [{ id: 'wood', density: 700, friction: { static: 0.5, dynamic: 0.4 } }],
  bodies: [
    ground,
    { id: 'wheel', position: [-1, 0, 1], orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], shapes: [{ type: 'cylinder', radius: 0.4, height: 0.1, material: 'wood' }] },
    { id: 'crate', position: [0.2, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'wood' }] },
    { id: 'parcel', position: [1.3, 0, 0.2], shapes: [{ type: 'box', size: [0.4, 0.4, 0.4], material: 'wood' }] },
    { id: 'ball', position: [0, 3, 400], shapes: [{ type: 'sphere', radius: 0.2, material: 'wood' }] },
  ],
  joints: [{ id: 'axle', type: 'hinge', bodyA: 'wheel', bodyB: null, anchor: [-1, 0, 1], axis: [0, 1, 0], motor: { targetVelocity: 1, maxForce: 50 } }],
}
const broken = { ...scene, name: 'Broken', bodies: [ground, { id: 'crate', position: [0, 0, 1], shapes: [{ type: 'box', size: [0.5, -1, 0.5], material: 'wood' }] }] }

const banner = (editor: Editor) => editor.page.getByRole('status').filter({ hasText: 'Live' })
const live = (editor: Editor) => editor.page.getByRole('button', { name: 'Live', exact: true })
/** Components of a vector of the inspector, in full precision. */
const numbers = async (editor: Editor, label: string) => {
  const title = await editor.page.getByRole('region', { name: 'Motion', exact: true }).getByLabel(label, { exact: true }).getAttribute('title')
  return JSON.parse(/\[.*\]/.exec(title!)![0]) as number[]
}

describe.skipIf(!chromium)('the elements of a live session', () => {
  let editor: Editor
  sitting({
    scene: 'yard.cairn.json', files: { 'yard.cairn.json': scene },
    ready: async opened => {
      editor = opened
      await editor.waitFor('yard')
    },
  })
  const row = (name: string) => editor.page.getByRole('treeitem', { name, exact: true })
  const motion = () => editor.page.getByRole('region', { name: 'Motion', exact: true })
  /** The playhead's frame and time, and the last ones, read at once. */
  const place = () => editor.page.evaluate(() => {
    const [, frame, frames] = /frame (\d+) of (\d+)/.exec(document.body.innerText)!
    const time = document.querySelector<HTMLInputElement>('input[aria-label="Time"]')!
    return { frame: Number(frame), frames: Number(frames), time: Number(Number(time.value).toFixed(2)), length: Number(/\/ ([\d.]+) s/.exec(document.body.innerText)![1]) }
  })
  const settled = async () => {
    await expect.poll(async () => banner(editor).innerText(), { timeout: 30_000 }).toMatch(/\d ms a frame/)
    await expect.poll(async () => editor.page.getByRole('complementary', { name: 'Live controls' }).getByRole('button', { name: 'Add a body' }).isEnabled(), { timeout: 60_000 }).toBe(true)
  }

  it('have the machine to themselves: a run of an earlier state of the scene ends', async () => {
    const { page } = editor
    const duration = async (seconds: string) => {
      await page.getByRole('textbox', { name: 'Duration' }).fill(seconds)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
    }
    await duration('600')
    await editor.primary.click()
    await editor.reaches('running')
    await duration('5')
    await live(editor).click()
    await settled()
    await editor.workspace('Simulate & inspect')
    await editor.panel('Runs')
    await page.getByRole('table', { name: 'Runs' }).getByRole('row').filter({ hasText: 'event-driven' }).getByText('ended by you').waitFor()
    await banner(editor).getByRole('button', { name: 'Stop' }).click()
    await banner(editor).waitFor({ state: 'detached' })
    await editor.workspace('Compose')
  }, 120_000)

  it('shows the present pose and velocity of a body, and the state of a joint, while it runs', async () => {
    await live(editor).click()
    await settled()
    await row('ball').click()
    await expect.poll(async () => (await numbers(editor, 'Position now'))[2], { timeout: 30_000 }).toBeLessThan(399)
    const [, , height] = await numbers(editor, 'Position now')
    await expect.poll(async () => (await numbers(editor, 'Position now'))[2], { timeout: 30_000 }).toBeLessThan(height!)
    expect((await numbers(editor, 'Velocity now'))[2]).toBeLessThan(-3)
    await row('wheel').click()
    await expect.poll(async () => (await numbers(editor, 'Angular velocity now'))[1], { timeout: 30_000 }).toBeCloseTo(1, 6)
    const turned = async () => (await numbers(editor, 'Orientation now')).join()
    const before = await turned()
    await expect.poll(turned, { timeout: 30_000 }).not.toBe(before)
    await row('axle').click()
    const joint = editor.page.getByRole('region', { name: 'Joint motion' })
    await expect.poll(async () => joint.innerText(), { timeout: 30_000 }).toMatch(/Rate\s*1\s*rad\/s/)
    await editor.page.getByText('an edit ends the session').waitFor()
    // The playhead is neither beyond the count of frames nor beyond the length of the session.
    for (let i = 0; i < 20; i++) {
      const { frame, frames, time, length } = await place()
      expect(frame).toBeLessThanOrEqual(frames)
      expect(time).toBeLessThanOrEqual(length)
      await editor.page.waitForTimeout(37)
    }
  }, 120_000)

  it('lists a body that is added, shows its properties and motion, and marks the ones that are removed or frozen', async () => {
    const { page } = editor
    await page.keyboard.press('Shift+A')
    await page.keyboard.type('sphere')
    await page.keyboard.press('Enter')
    await row('Sphere').waitFor()
    await settled()
    expect(await row('Sphere').getAttribute('aria-selected')).toBe('true')
    await page.getByRole('note').filter({ hasText: 'Added in the live session' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Radius' }).isDisabled()).toBe(true)
    await motion().getByLabel('Position now').waitFor()
    await row('crate').click()
    await page.keyboard.press('Delete')
    await expect.poll(async () => row('crate').innerText(), { timeout: 60_000 }).toMatch(/until [\d.]+ s/)
    await settled()
    await row('crate').click()
    await motion().getByText('This body does not exist at this time').waitFor()
    await row('parcel').click()
    await page.keyboard.press('z')
    await row('parcel-2').waitFor({ timeout: 60_000 })
    await settled()
    expect(await row('parcel').innerText()).toMatch(/until [\d.]+ s/)
    expect(await row('parcel-2').innerText()).toContain('fixed')
    await page.getByText('5 bodies, 1 joint').waitFor()
  }, 240_000)

  it('takes a mesh file that is dropped into the session', async () => {
    const cube = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]].map(v => `v ${v.map(x => x / 5).join(' ')}`)
    const faces = ['1 4 3 2', '5 6 7 8', '1 2 6 5', '2 3 7 6', '3 4 8 7', '4 1 5 8'].map(face => `f ${face}`)
    const dropped = await editor.page.evaluateHandle(text => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'die.obj'))
      return data
    }, [...cube, ...faces].join('\n'))
    await editor.viewport.dispatchEvent('drop', { dataTransfer: dropped })
    await row('die').waitFor()
    await settled()
    await row('die').click()
    await editor.page.getByRole('note').filter({ hasText: 'Added in the live session' }).waitFor()
    await editor.page.getByRole('button', { name: 'Stop', exact: true }).first().waitFor()
    await editor.page.keyboard.press('Delete')
    await expect.poll(async () => row('die').innerText(), { timeout: 60_000 }).toMatch(/until [\d.]+ s/)
    await settled()
  }, 240_000)

  it('marks a body that is nailed, and releases it from the inspector', async () => {
    const { page } = editor
    await row('Sphere').click()
    await page.keyboard.press('f')
    await page.waitForTimeout(500)
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 4, y - 8)
    await expect.poll(async () => row('Sphere').innerText()).toContain('dragged')
    await page.keyboard.press('n')
    await page.mouse.up()
    await expect.poll(async () => row('Sphere').innerText()).toContain('nailed')
    await motion().getByRole('button', { name: 'Release: nail' }).click()
    await expect.poll(async () => row('Sphere').innerText()).not.toContain('nailed')
    expect(await motion().getByRole('button', { name: 'Release: nail' }).count()).toBe(0)
  }, 120_000)

  it('shows them over time in the session\'s run, and as elements of the scene once it is kept', async () => {
    const { page } = editor
    await banner(editor).getByRole('button', { name: 'Stop' }).click()
    await banner(editor).waitFor({ state: 'detached' })
    await editor.workspace('Simulate & inspect')
    await editor.panel('Runs')
    const run = page.getByRole('table', { name: 'Runs' }).getByRole('row').filter({ has: page.getByRole('textbox', { name: 'Name of Live' }) }).first()
    expect(await run.innerText()).toContain('ended by you')
    expect(await run.innerText()).not.toContain('cancelled')
    await editor.workspace('Compose')
    await editor.goTo(0.05)
    await expect.poll(async () => row('Sphere').innerText()).toMatch(/from [\d.]+ s/)
    expect(await row('crate').innerText()).not.toContain('until')
    await page.getByText('5 bodies, 1 joint').waitFor()
    await page.getByRole('button', { name: 'Keep as scene' }).click()
    await page.getByText(/^Kept:/).waitFor()
    await row('Sphere').click()
    await page.getByRole('note').filter({ hasText: 'Added in the live session' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('textbox', { name: 'Radius' }).isDisabled()).toBe(false)
  }, 120_000)
})

describe.skipIf(!chromium)('the hand of a person in a live session', () => {
  let editor: Editor
  const alone = { ...scene, name: 'Alone', joints: [], bodies: [ground, { ...scene.bodies[3]!, position: [0, 0, 0.2] }] }
  sitting({
    scene: 'alone.cairn.json', files: { 'alone.cairn.json': alone },
    ready: async opened => {
      editor = opened
      await editor.waitFor('alone')
    },
  })

  it('reads the force of a drag in newtons, which the wheel makes stiffer and softer', async () => {
    const { page } = editor
    const motion = page.getByRole('region', { name: 'Motion', exact: true })
    await live(editor).click()
    await banner(editor).waitFor()
    await page.getByRole('treeitem', { name: 'parcel' }).click()
    await page.keyboard.press('f')
    await page.waitForTimeout(500)
    const box = (await editor.viewport.locator('canvas').first().boundingBox())!
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const force = async () => Number.parseFloat((await motion.getByText(/^Drag/).locator('xpath=following-sibling::dd[1]').innerText()).replace('−', '-'))
    /** N, once it no longer changes. */
    const held = async () => {
      let [before, now] = [NaN, await force()]
      while (!(Math.abs(now - before) < 1e-3 * now)) {
        await page.waitForTimeout(400)
        ;[before, now] = [now, await force()]
      }
      return now
    }
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 4, y)
    await motion.getByText(/^Drag/).waitFor()
    // Friction holds the parcel: the spring is stretched by as much as the pointer has moved, and its stiffness goes with the square of its frequency.
    const first = await held()
    expect(first).toBeGreaterThan(1)
    for (let k = 0; k < 3; k++) await page.mouse.wheel(0, 100)
    await expect.poll(force, { timeout: 30_000 }).toBeLessThan(0.6 * first)
    expect(await held() / first).toBeCloseTo(1.15 ** -6, 2)
    for (let k = 0; k < 3; k++) await page.mouse.wheel(0, -100)
    await expect.poll(force, { timeout: 30_000 }).toBeGreaterThan(0.9 * first)
    expect(await held() / first).toBeCloseTo(1, 2)
    await page.mouse.up()
  }, 120_000)

  it('runs in slow motion by the speed of the timeline, and says at which ratio', async () => {
    const { page } = editor
    const ratio = async () => Number(/× ([\d.]+)/.exec(await banner(editor).innerText())![1])
    const speed = page.getByRole('combobox', { name: 'Speed' })
    await speed.selectOption({ label: '× 0.1' })
    await expect.poll(ratio, { timeout: 30_000 }).toBeLessThan(0.15)
    expect(await banner(editor).innerText()).not.toContain('slower than real time')
    await speed.selectOption({ label: '× 1' })
    await expect.poll(ratio, { timeout: 30_000 }).toBeGreaterThan(0.2)
  }, 120_000)
})

describe.skipIf(!chromium)('a file with errors', () => {
  let editor: Editor
  sitting({
    scene: 'broken.cairn.json', files: { 'broken.cairn.json': broken },
    ready: async opened => {
      editor = opened
      await editor.waitFor('Untitled')
      // The window is titled before the file has been read.
      await editor.page.getByRole('contentinfo', { name: 'Status' }).getByText(/[1-9]\d* errors?/).waitFor()
    },
  })

  it('is not replaced by an empty scene: Live and Simulate say what is wrong with it', async () => {
    await live(editor).click()
    const told = editor.page.getByRole('list', { name: 'Messages' }).getByText('There is nothing to simulate, since broken.cairn.json cannot be opened: size[1] is -1')
    await told.waitFor()
    expect(await banner(editor).count()).toBe(0)
    await editor.reaches('refused')
    const listed = editor.page.getByRole('list', { name: 'Problems' }).getByText('There is nothing to simulate')
    await listed.waitFor()
    await editor.menu('Simulate', 'Simulate anew')
    await editor.page.waitForTimeout(500)
    expect(await editor.primary.getAttribute('data-state')).toBe('refused')
    // A body makes it a scene, and the refusal goes.
    await editor.page.keyboard.press('Shift+A')
    await editor.page.keyboard.type('box')
    await editor.page.keyboard.press('Enter')
    await editor.reaches('ready')
    await listed.waitFor({ state: 'detached' })
    await live(editor).click()
    await expect.poll(async () => banner(editor).innerText(), { timeout: 30_000 }).toMatch(/\d ms a frame/)
  }, 120_000)
})
