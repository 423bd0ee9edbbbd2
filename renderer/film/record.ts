/** Films of a run: frames drawn at exact times, encoded by the browser (WebCodecs), muxed into WebM or MP4 by mediabunny. */

import {
  BufferTarget, CanvasSource, getFirstEncodableVideoCodec, Mp4OutputFormat, Output, StreamTarget, WebMOutputFormat, type StreamTargetChunk, type VideoCodec,
} from 'mediabunny'
import { PictureMaker } from './picture'
import { frameCount, timeOfFrame, type FilmResult, type FilmSpec, type PictureSpec } from './spec'

/** In order of preference: the most widely supported codec first. */
const CODECS: Readonly<Record<FilmSpec['format'], VideoCodec[]>> = { webm: ['vp9', 'vp8', 'av1'], mp4: ['avc', 'vp9', 'av1'] }
/** Bits per pixel and frame, enough for sharp edges and text; static parts use little of it. */
const BITS_PER_PIXEL = 0.12
/** s between key frames, to which players can seek. */
const KEY_INTERVAL = 2

export interface FilmOutput {
  /** Writes bytes at a position of the file. Without it the film is kept in memory and returned. */
  readonly write?: (position: number, data: Uint8Array) => void
  readonly progress: (done: number, of: number) => void
  readonly signal: AbortSignal
}

/** @throws DOMException `AbortError`; Error if the browser supports none of the format's codecs at this size */
export async function recordFilm(spec: FilmSpec, { write, progress, signal }: FilmOutput): Promise<FilmResult & { readonly data: Uint8Array | null }> {
  const { width, height, rate, format } = spec
  const bitrate = Math.round(Math.max(1e6, width * height * rate * BITS_PER_PIXEL))
  const codec = 'VideoEncoder' in globalThis ? await getFirstEncodableVideoCodec(CODECS[format], { width, height, bitrate }) : null
  if (codec === null) throw new Error(`This browser encodes no ${format === 'mp4' ? 'MP4' : 'WebM'} of ${width} × ${height} pixels (${CODECS[format].join(', ')}).`)
  const maker = await PictureMaker.prepare(spec, spec.from, spec.to)
  const toFile = (to: NonNullable<FilmOutput['write']>) => new WritableStream<StreamTargetChunk>({ write: ({ position, data }) => to(position, data) })
  const target = write ? new StreamTarget(toFile(write), { chunked: true }) : new BufferTarget()
  const output = new Output({ format: format === 'mp4' ? new Mp4OutputFormat() : new WebMOutputFormat(), target })
  try {
    const source = new CanvasSource(maker.canvas, { codec, bitrate, keyFrameInterval: KEY_INTERVAL, latencyMode: 'quality' })
    output.addVideoTrack(source, { frameRate: rate })
    await output.start()
    const frames = frameCount(spec)
    let [drawing, encoding] = [0, 0]
    for (let frame = 0; frame < frames; frame++) {
      signal.throwIfAborted()
      const begun = performance.now()
      await maker.draw(timeOfFrame(spec, frame))
      const drawn = performance.now()
      await source.add(frame / rate, 1 / rate)
      drawing += drawn - begun
      encoding += performance.now() - drawn
      progress(frame + 1, frames)
    }
    const finishing = performance.now()
    await output.finalize()
    encoding += performance.now() - finishing
    const data = target instanceof BufferTarget ? new Uint8Array(target.buffer!) : null
    return { frames, duration: frames / rate, codec, drawing, encoding, data }
  } catch (error) {
    await output.cancel()
    throw error
  } finally {
    maker.dispose()
  }
}

/** One picture as PNG. @param time s, simulated */
export async function recordPicture(spec: PictureSpec, time: number): Promise<Uint8Array> {
  const maker = await PictureMaker.prepare(spec, time, time)
  try {
    await maker.draw(time)
    return await maker.png()
  } finally {
    maker.dispose()
  }
}
