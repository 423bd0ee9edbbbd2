// @module-tag long
/** Films and pictures of a run by `cairn render`, decoded: number and size of the pictures, and the same contents as stills of the same times. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, newPage } from './chromium'

const cli = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))
const dominoes = fileURLToPath(new URL('../../scenes/twenty-dominoes.cairn.json', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cairn-film-'))
const cairn = (...args: string[]) => execFileSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/**
 * Where two stills differ: how far the film's picture at a time is from each of them, mean difference of a colour, 0 to 255. In a page of its own.
 * @returns of the first and of the second still, and the number of pixels that were looked at
 */
async function nearness(film: Buffer, type: string, time: number, stills: readonly [Buffer, Buffer]): Promise<{ first: number; second: number; pixels: number }> {
  const page = await newPage()
  return await page.evaluate(async ([filmData, mime, at, one, other]) => {
    const bytes = (text: string) => Uint8Array.from(atob(text), character => character.charCodeAt(0))
    const still = (text: string) => createImageBitmap(new Blob([bytes(text)], { type: 'image/png' }))
    const video = document.createElement('video')
    video.src = URL.createObjectURL(new Blob([bytes(filmData)], { type: mime }))
    await new Promise((done, fail) => {
      video.onloadeddata = done
      video.onerror = () => fail(new Error('The film cannot be played.'))
    })
    video.currentTime = at
    await new Promise(done => { video.onseeked = done })
    const pixels = (source: CanvasImageSource) => {
      const context = new OffscreenCanvas(video.videoWidth, video.videoHeight).getContext('2d')!
      context.drawImage(source, 0, 0)
      return context.getImageData(0, 0, video.videoWidth, video.videoHeight).data
    }
    const [shown, a, b] = [pixels(video), pixels(await still(one)), pixels(await still(other))]
    let [first, second, count] = [0, 0, 0]
    for (let k = 0; k < shown.length; k++) {
      if (Math.abs(a[k]! - b[k]!) < 64) continue
      first += Math.abs(shown[k]! - a[k]!)
      second += Math.abs(shown[k]! - b[k]!)
      count++
    }
    return { first: first / count, second: second / count, pixels: count }
  }, [film.toString('base64'), type, time, stills[0].toString('base64'), stills[1].toString('base64')] as const)
}

describe.skipIf(!chromium)('a film of the dominoes', () => {
  const look = ['--size', '640x360', '--time-code', '--plot', 'energy.kinetic,energy.potential', '--overlays', 'grid,points,arrows,cones,edges']
  beforeAll(() => {
    cairn('simulate', dominoes, '-o', 'run.mcap', '--duration', '1', '--method', 'time-stepping')
    cairn('render', 'run.mcap', '--time', '0.625', ...look, '-o', 'same.png')
    cairn('render', 'run.mcap', '--time', '0.325', ...look, '-o', 'other.png')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(['webm', 'mp4'])('as %s has the length, rate and size asked for, and shows what stills show', async format => {
    const answer = JSON.parse(cairn('render', 'run.mcap', '--video', '--from', '0.3', '--to', '0.9', '--rate', '20', '--speed', '0.5', ...look, '-o', `film.${format}`, '--json')) as object
    expect(answer).toMatchObject({ status: 'completed', frames: 24, duration: 1.2 })
    const film = readFileSync(join(folder, `film.${format}`))
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(film) })
    const track = (await input.getPrimaryVideoTrack())!
    const { packetCount, averagePacketRate } = await track.computePacketStats()
    expect([track.displayWidth, track.displayHeight, packetCount]).toStrictEqual([640, 360, 24])
    expect(averagePacketRate).toBeCloseTo(20, 1)
    expect(await input.computeDuration()).toBeCloseTo(1.2, 2)
    // Picture 13 shows 0.3 s + 13 · 0.5 / 20 s.
    const stills = [readFileSync(join(folder, 'same.png')), readFileSync(join(folder, 'other.png'))] as const
    const { first, second, pixels } = await nearness(film, `video/${format}`, 13.5 / 20, stills)
    expect(pixels).toBeGreaterThan(500)
    expect(first).toBeLessThan(second) // thin coloured lines lose most of their colour to the encoder at this size: 40 against 66 of 255
  })

  it('leaves nothing behind but what was asked for', () => {
    expect(readdirSync(folder).sort()).toStrictEqual(['film.mp4', 'film.webm', 'other.png', 'run.mcap', 'same.png'])
  })
})
