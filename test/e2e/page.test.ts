// @module-tag long
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { chromium, newPage } from './chromium'
import { WebHostProcess, type Editor } from './editor'
import { sitting } from './sitting'

interface State { bodies: { id: string; position: number[]; orientation: number[] }[]; contacts: { normalForce: number }[] }

/** Positions to search in a picture, as shares of its width and height: a coarse grid, then finer ones down to 0.02. */
function* places(): Generator<readonly [number, number]> {
  for (const step of [8, 4, 2]) {
    for (let y = 6; y < 95; y += step) {
      for (let x = 6; x < 95; x += step) {
        const isKnown = step < 8 && (x - 6) % (2 * step) === 0 && (y - 6) % (2 * step) === 0
        if (!isKnown) yield [x / 100, y / 100]
      }
    }
  }
}

/** Positions around one, in steps of a hundredth, the nearest first. */
function around([x, y]: readonly [number, number]): [number, number][] {
  const steps = Array.from({ length: 31 }, (_, i) => (i - 15) / 100)
  const apart = ([u, v]: readonly [number, number]) => Math.hypot(u - x, v - y)
  return steps.flatMap(dx => steps.map((dy): [number, number] => [x + dx, y + dy])).sort((a, b) => apart(a) - apart(b))
}

describe.skipIf(!chromium)('a person who gets a run as a page, without Cairn', () => {
  const host = new WebHostProcess()
  const requests: string[] = []
  const faults: string[] = []
  let page: Page
  let told: { files: string[]; losses: object[] }
  const run = join(host.folder, 'run.mcap')

  beforeAll(async () => {
    // A name that would end the page's script if it were not escaped.
    const scene = JSON.parse(readFileSync(join(host.root, 'block-on-an-incline.cairn.json'), 'utf8')) as { name: string; bodies: { id: string; name: string }[] }
    scene.bodies.find(body => body.id === 'wooden')!.name = 'Wood </script><script>document.title="broken"</script>'
    writeFileSync(join(host.root, 'named.cairn.json'), JSON.stringify(scene))
    await host.cairn('simulate', join(host.root, 'named.cairn.json'), '-o', run)
    told = JSON.parse(await host.cairn('export', run, '--to', 'html', '--json')) as typeof told
    page = await newPage({ viewport: { width: 1280, height: 800 } })
    page.on('request', request => requests.push(request.url()))
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => { if (message.type() === 'error') faults.push(message.text()) })
    await page.goto(pathToFileURL(told.files[0]!).href)
    await page.getByRole('button', { name: 'Play' }).waitFor()
  }, 120_000)
  afterAll(async () => {
    host.dispose()
  })

  const frame = () => page.getByRole('slider', { name: 'Frame' })
  const time = async () => Number(await page.locator('output[aria-label="Time"]').getAttribute('data-value'))
  const states = new Map<number, State>()
  async function at(seconds: number): Promise<State> {
    const state = states.get(seconds) ?? JSON.parse(await host.cairn('inspect', run, '--time', String(seconds), '--json')) as State
    states.set(seconds, state)
    return state
  }
  const shown = async (name: string) => JSON.parse((await page.locator(`dt:text-is("${name}") + dd`).getAttribute('data-value'))!) as number[]

  it('is one self-contained file of the stated size', () => {
    expect(told.files).toHaveLength(1)
    expect(told.losses).toEqual([])
    expect(requests.filter(url => !url.startsWith('blob:'))).toEqual([pathToFileURL(told.files[0]!).href])
    expect(statSync(told.files[0]!).size).toBeLessThan(2_000_000)
    expect(faults).toEqual([])
  })

  it('has the poses of the run at its instants', async () => {
    expect(await page.title()).toBe('Block on an incline')
    for (const [index, body] of [['slope', 'Slope'], ['wooden', 'Wood </script><script>document.title="broken"</script>'], ['waxed', 'Waxed block']] as const) {
      await page.getByRole('combobox', { name: 'Body' }).selectOption({ label: body })
      for (const number of [0, 77, 200, 384]) {
        await frame().fill(String(number))
        const expected = (await at(await time())).bodies.find(one => one.id === index)!
        const [position, orientation] = [await shown('Position'), await shown('Orientation')]
        expected.position.forEach((x, k) => expect(Math.abs(position[k]! - x)).toBeLessThan(1e-6))
        expected.orientation.forEach((x, k) => expect(Math.abs(orientation[k]! - x)).toBeLessThan(1e-6))
      }
    }
  }, 120_000)

  it('plays, and stops at the end', async () => {
    await frame().fill('0')
    await page.getByRole('button', { name: 'Play' }).click()
    await expect.poll(time).toBeGreaterThan(0.2)
    await page.getByRole('button', { name: 'Pause' }).click()
    const stopped = await time()
    await page.waitForTimeout(200)
    expect(await time()).toBe(stopped)
  })

  it('chooses a body and a contact by clicks in the picture, and reads the recorded force', async () => {
    await page.getByRole('combobox', { name: 'Body' }).selectOption({ label: 'none' })
    await frame().fill('240')
    const box = (await page.locator('.stage').boundingBox())!
    const status = page.getByRole('region', { name: 'Contacts now' }).getByRole('status')
    const click = async ([x, y]: readonly [number, number]) => {
      await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
      return page.getByRole('combobox', { name: 'Body' }).locator('option:checked').innerText()
    }
    let block: readonly [number, number] | undefined
    const bodies = new Set<string>()
    for (const place of places()) {
      const body = await click(place)
      bodies.add(body)
      if (/block/.test(body)) {
        block = place
        break
      }
    }
    expect(bodies.size).toBeGreaterThan(1)
    expect(block).toBeDefined()
    // Its contacts are at its corners.
    let found = false
    for (const place of around(block!)) {
      await click(place)
      found = await status.count() > 0
      if (found) break
    }
    expect(found).toBe(true)
    const selected = page.getByRole('table', { name: 'Contacts' }).locator('tr[aria-selected="true"] td[data-value]').first()
    const normal = Number(await selected.getAttribute('data-value'))
    const { contacts } = await at(await time())
    expect(contacts.some(({ normalForce }) => Math.abs(normalForce - normal) < 1e-5 * normalForce)).toBe(true)
  }, 120_000)

  it('draws the energy, and goes to an instant by it', async () => {
    const chart = page.getByRole('img', { name: 'Energy: kinetic, potential, total' })
    const box = (await chart.boundingBox())!
    await chart.click({ position: { x: box.width - 9, y: 40 } })
    await expect.poll(time).toBeGreaterThan(1.5)
    if (process.env.CAIRN_SHOTS) {
      for (const theme of ['dark', 'light'] as const) {
        for (const [width, height] of [[1440, 900], [1024, 700]] as const) {
          await page.emulateMedia({ colorScheme: theme })
          await page.setViewportSize({ width, height })
          await page.waitForTimeout(300)
          await page.screenshot({ path: join(process.env.CAIRN_SHOTS, `page-${theme}-${width}.png`) })
        }
      }
    }
    expect(faults).toEqual([])
  })

  it('keeps fewer frames where it would be too large, and says so', async () => {
    const long = join(host.folder, 'long.mcap')
    await host.cairn('simulate', join(host.root, 'block-on-an-incline.cairn.json'), '-o', long, '--rate', '10000')
    const small = JSON.parse(await host.cairn('export', long, '--to', 'html', '--option', 'megabytes=1', '-o', join(host.folder, 'small.html'), '--json')) as typeof told
    expect(statSync(join(host.folder, 'small.html')).size).toBeLessThanOrEqual(1_000_000)
    expect(small.losses).toContainEqual(expect.objectContaining({ path: 'frames' }))
  }, 240_000)
})

/** A sheet, a rope and two particles that fall onto a box. */
const bent = {
  format: 'cairn-scene', version: 1, name: 'Bent', materials: [{ id: 'wool', density: 300, color: '#c04080', friction: { static: 0.4, dynamic: 0.4 } }],
  bodies: [{ id: 'box', type: 'fixed', position: [0, 0, 0.25], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'wool' }] }],
  deformables: [
    {
      id: 'sheet', type: 'cloth', material: 'wool', radius: 0.01,
      vertices: Array.from({ length: 25 }, (_, i) => [0.2 * (i % 5) - 0.4, 0.2 * Math.floor(i / 5) - 0.4, 0.7]),
      triangles: Array.from({ length: 16 }, (_, i) => i + Math.floor(i / 4)).flatMap(a => [[a, a + 1, a + 6], [a, a + 6, a + 5]]),
    },
    { id: 'line', type: 'rope', material: 'wool', radius: 0.02, points: [[1, 0, 1.5], [1.8, 0, 1.2]], segments: 8, pins: [0] },
    { id: 'drops', type: 'particles', material: 'wool', radius: 0.05, particles: [[-0.8, 0, 1], [-0.9, 0.2, 1.4]].map(position => ({ position, mass: 0.1 })) },
  ],
  simulation: { duration: 0.5, outputRate: 60 },
}

describe.skipIf(!chromium)('a person who gets cloth, a rope and particles as a page', () => {
  const host = new WebHostProcess()
  afterAll(async () => {
    host.dispose()
  })

  it('sees them, chooses them by clicks, and reads where their vertices are', async () => {
    const [scene, run] = [join(host.root, 'bent.cairn.json'), join(host.folder, 'bent.mcap')]
    writeFileSync(scene, JSON.stringify(bent))
    await host.cairn('simulate', scene, '-o', run)
    const told = JSON.parse(await host.cairn('export', run, '--to', 'html', '--json')) as { files: string[]; losses: object[] }
    expect(told.losses).toEqual([])
    const [head, ...rows] = (await host.cairn('table', run, '--what', 'vertices', '--to', 'csv')).trim().split('\n').map(line => line.split(','))
    const page = await newPage({ viewport: { width: 1280, height: 800 } })
    const faults: string[] = []
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', message => { if (message.type() === 'error') faults.push(message.text()) })
    await page.goto(pathToFileURL(told.files[0]!).href)
    const choice = page.getByRole('combobox', { name: 'Body' })
    const column = (name: string) => head!.findIndex(title => title.startsWith(name))
    const [id, vertex, x, time] = ['deformable', 'vertex', 'position', 'time'].map(column) as [number, number, number, number]
    for (const [name, numbers] of [['sheet', [0, 12, 24]], ['line', [0, 8]], ['drops', [0, 1]]] as const) {
      await choice.selectOption({ label: name })
      for (const frame of [0, 11, 30]) {
        await page.getByRole('slider', { name: 'Frame' }).fill(String(frame))
        const at = Number(await page.locator('output[aria-label="Time"]').getAttribute('data-value'))
        for (const number of numbers) {
          await page.getByRole('spinbutton', { name: 'Vertex' }).fill(String(number))
          await page.getByRole('spinbutton', { name: 'Vertex' }).press('Enter')
          const expected = rows.find(row => row[id] === name && Number(row[vertex]) === number && Math.abs(Number(row[time]) - at) < 1e-9)!
          const shown = JSON.parse((await page.locator('dt:text-is("Position") + dd').getAttribute('data-value'))!) as number[]
          shown.forEach((value, k) => expect(Math.abs(value - Number(expected[x + k]))).toBeLessThan(1e-6))
        }
      }
    }
    // Each is drawn: the pointer finds it somewhere.
    await page.getByRole('slider', { name: 'Frame' }).fill('5')
    const box = (await page.locator('.stage').boundingBox())!
    const seen = new Set<string>()
    for (const [u, v] of places()) {
      await page.mouse.click(box.x + u * box.width, box.y + v * box.height)
      const chosen = await choice.locator('option:checked').innerText()
      if (['sheet', 'line', 'drops'].includes(chosen)) seen.add(chosen)
      if (seen.size === 3) break
    }
    expect([...seen].sort()).toEqual(['drops', 'line', 'sheet'])
    if (process.env.CAIRN_SHOTS) {
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme })
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(process.env.CAIRN_SHOTS, `page-bent-${theme}.png`) })
      }
    }
    expect(faults).toEqual([])
  }, 240_000)
})

describe.skipIf(!chromium)('a person who exports the run as a page', () => {
  let editor: Editor
  sitting({
    ready: async opened => {
      editor = opened
      await editor.waitFor('block-on-an-incline')
      await editor.simulate()
    },
  })

  it('finds it beside the other exports of the run, and is told its size', async () => {
    const download = editor.page.waitForEvent('download')
    await editor.menu('File', 'Export run', 'Page (HTML)…')
    const file = await download
    expect(file.suggestedFilename()).toBe('block-on-an-incline.html')
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^<!doctype html>/)
    await editor.page.getByText(/^Exported the run, \d+(\.\d+)? [KM]B/).waitFor()
  })
})
