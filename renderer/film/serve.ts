/** The interface for `cairn render` on pages that it opens. Other pages do not have it. */

import { nextTick } from 'vue'
import { filmBindings, filmPage, type FilmChunk, type FilmProgress } from '../../main/protocol/render'
import { usePlayback } from '../state/playback'
import { useRuns } from '../state/runs'
import { useViewportApi } from '../state/viewport-api'
import { recordFilm, recordPicture } from './record'
import type { FilmResult, FilmSpec, PictureSpec } from './spec'

export interface FilmPage {
  film(spec: FilmSpec): Promise<FilmResult>
  picture(spec: PictureSpec, time: number): Promise<void>
}

/** Bytes per message. */
const PIECE = 1 << 20

/** Provides the interface once the run and the viewport are ready. */
export async function serveFilms(): Promise<void> {
  while (!useRuns().current || !useViewportApi().ready || usePlayback().frameCount === 0) {
    await nextTick()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const page: FilmPage = {
    film: async spec => {
      const { data: _, ...result } = await recordFilm(spec, {
        write, progress: (done, of) => notify(filmBindings.progress, { done, of } satisfies FilmProgress), signal: new AbortController().signal,
      })
      return result
    },
    picture: async (spec, time) => write(0, await recordPicture(spec, time)),
  }
  Object.assign(globalThis, { [filmPage]: page })
}

function write(position: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += PIECE) {
    notify(filmBindings.write, { position: position + from, data: base64(bytes.subarray(from, from + PIECE)) } satisfies FilmChunk)
  }
}

function notify(binding: string, message: object): void {
  (globalThis as unknown as Record<string, (text: string) => void>)[binding]!(JSON.stringify(message))
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 0x8000) text += String.fromCharCode(...bytes.subarray(from, from + 0x8000))
  return btoa(text)
}
