// @module-tag long
/** Every picture of a film shows its own time: each decoded picture is compared with the stills of its time and of the neighbouring times. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { filmBindings, filmPage, filmQuery, type FilmChunk } from '../../main/protocol/render'
import { chromium, newPage } from './chromium'
import { WebHostProcess } from './editor'

const FRAMES = 16
const RATE = 20
const FROM = 0.05
const SPEED = 0.5
const timeOf = (frame: number) => FROM + frame * SPEED / RATE

/** A ball that flies through the view: from one picture to the next it moves by a third of its radius, farther than the encoder smears. */
const flight = {
  format: 'cairn-scene', version: 1, name: 'Flight', gravity: [0, 0, 0],
  materials: [{ id: 'm', density: 1000, color: '#ffcc33' }],
  bodies: [
    { id: 'ball', position: [-1.2, 0, 0], linearVelocity: [5, 0, 1], shapes: [{ type: 'sphere', radius: 0.4, material: 'm' }] },
    { id: 'mark', type: 'fixed', position: [0, 3, 0], shapes: [{ type: 'box', size: [4, 0.2, 2], material: 'm' }] },
  ],
  simulation: { duration: 0.6, outputRate: 120, method: 'event-driven' },
}

describe.skipIf(!chromium).each(['webm', 'mp4'] as const)('a film as %s', format => {
  const host = new WebHostProcess()
  let page: Page
  let written: Buffer[] = []
  beforeAll(async () => {
    writeFileSync(join(host.root, 'flight.cairn.json'), JSON.stringify(flight))
    await host.cairn('simulate', join(host.root, 'flight.cairn.json'), '-o', join(host.root, 'flight.mcap'))
    await host.start({ scene: 'flight.mcap' })
    page = await newPage({ viewport: { width: 1000, height: 700 } })
    await page.exposeFunction(filmBindings.progress, () => undefined)
    await page.exposeFunction(filmBindings.write, (text: string) => {
      const { position, data } = JSON.parse(text) as FilmChunk
      written.push(Buffer.from(data, 'base64'))
      places.push(position)
    })
    await page.goto(host.url.replace('/#', `/?${filmQuery}#`))
    await page.waitForFunction(name => name in globalThis, filmPage)
  })
  afterAll(async () => {
    await host.stop()
    host.dispose()
  })

  let places: number[] = []
  /** The data that the page writes, by position in the file. */
  async function made(call: string): Promise<Buffer> {
    [written, places] = [[], []]
    await page.evaluate(`globalThis.${filmPage}.${call}`)
    const whole = Buffer.alloc(Math.max(...places.map((position, k) => position + written[k]!.length)))
    written.forEach((bytes, k) => bytes.copy(whole, places[k]!))
    return whole
  }
  const look = JSON.stringify({ width: 640, height: 360, overlays: { grid: false }, view: 'front', theme: 'dark', timeCode: false, plots: [] }).slice(0, -1)

  it(`has ${FRAMES} pictures at exact times, each nearest to the still of its own time by far`, async () => {
    const film = await made(`film(${look}, "format": "${format}", "from": ${FROM}, "to": ${timeOf(FRAMES)}, "rate": ${RATE}, "speed": ${SPEED}})`)
    const track = (await new Input({ formats: ALL_FORMATS, source: new BufferSource(film) }).getPrimaryVideoTrack())!
    const packets: Packet[] = []
    for await (const { data, type, microsecondTimestamp } of new EncodedPacketSink(track).packets()) {
      packets.push({ data: Buffer.from(data).toString('base64'), type, timestamp: microsecondTimestamp })
    }
    const times = packets.map(({ timestamp }) => timestamp / 1e6)
    expect(times).toHaveLength(FRAMES)
    times.sort((a, b) => a - b).forEach((time, k) => expect(time).toBeCloseTo(k / RATE, 3)) // WebM counts milliseconds

    const stills: string[] = []
    for (let frame = 0; frame < FRAMES; frame++) stills.push((await made(`picture(${look}}, ${timeOf(frame)})`)).toString('base64'))
    const plain = await newPage() // the editor's own page may not play anything
    expect(await plain.evaluate(play, [film.toString('base64'), `video/${format}`] as const)).toBeCloseTo(FRAMES / RATE, 2)
    const { codec, description } = (await track.getDecoderConfig())!
    const config = { codec, description: description ? Buffer.from(description as Uint8Array).toString('base64') : null }
    const distances = await page.evaluate(compare, [config, packets, stills] as const)
    expect(distances).toHaveLength(FRAMES)
    distances.forEach((row, frame) => {
      const own = row[frame]!
      const others = row.filter((_, k) => k !== frame)
      expect(own, `picture ${frame}: ${row.map(value => value.toFixed(1)).join(' ')}`).toBeLessThan(Math.min(...others) / 3)
    })
  })
})

interface Packet { readonly data: string; readonly type: 'key' | 'delta'; readonly timestamp: number }

/** In the page: plays the film to its end. @returns its duration, s */
async function play([film, type]: readonly [string, string]): Promise<number> {
  const video = document.createElement('video')
  video.muted = true
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(film), character => character.charCodeAt(0))], { type }))
  await new Promise((done, fail) => {
    video.onended = done
    video.onerror = () => fail(new Error('The film cannot be played.'))
    video.play().catch(fail)
  })
  return video.duration
}

/**
 * In the page: mean difference of each picture of the film from each still, over the pixels in which any two stills differ, 0 to 255.
 * Pictures come from the decoder: a player paints them when it likes, and may have none to give just after a jump.
 */
async function compare(
  [{ codec, description }, packets, stills]: readonly [{ codec: string; description: string | null }, readonly Packet[], readonly string[]],
): Promise<number[][]> {
  const bytes = (text: string) => Uint8Array.from(atob(text), character => character.charCodeAt(0))
  const pixels = (source: CanvasImageSource, width: number, height: number) => {
    const context = new OffscreenCanvas(width, height).getContext('2d')!
    context.drawImage(source, 0, 0)
    return context.getImageData(0, 0, width, height).data
  }
  const shown = await Promise.all(stills.map(async text => {
    const still = await createImageBitmap(new Blob([bytes(text)], { type: 'image/png' }))
    return pixels(still, still.width, still.height)
  }))
  const moving: number[] = []
  for (let k = 0; k < shown[0]!.length; k++) if (shown.some(still => Math.abs(still[k]! - shown[0]![k]!) > 48)) moving.push(k)

  const pictures: { readonly time: number; readonly row: number[] }[] = []
  await new Promise<void>((done, fail) => {
    const decoder = new VideoDecoder({
      output: frame => {
        const picture = pixels(frame, frame.displayWidth, frame.displayHeight)
        const row = shown.map(still => moving.reduce((sum, k) => sum + Math.abs(picture[k]! - still[k]!), 0) / moving.length)
        pictures.push({ time: frame.timestamp, row })
        frame.close()
      },
      error: fail,
    })
    decoder.configure({ codec, ...description !== null && { description: bytes(description) } })
    for (const { data, type, timestamp } of packets) decoder.decode(new EncodedVideoChunk({ data: bytes(data), type, timestamp }))
    decoder.flush().then(done, fail)
  })
  return pictures.sort((a, b) => a.time - b.time).map(({ row }) => row)
}
