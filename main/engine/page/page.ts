/** A recorded run as one self-contained page of HTML for playback and inspection. */
import { gzipSync } from 'node:zlib'
import { completeOptions, type FormatOption } from '../../../core/formats'
import type { Loss } from '../../../core/formats/format'
import { resolveScene, type Scene } from '../../../core/scene'
import { HostError } from '../../protocol/host'
import type { ExportResult } from '../../protocol/exchange'
import type { TrajectoryReader } from '../reader'
import { bytesOf, packRun } from './pack'
import chartSource from './chart.js?raw'
import dataSource from './data.js?raw'
import deformablesSource from './deformables.js?raw'
import mainSource from './main.js?raw'
import shapesSource from './shapes.js?raw'
import styleSource from './style.css?raw'
import viewSource from './view.js?raw'

export const PAGE = 'html'

export const pageOptions: readonly FormatOption[] = [
  { id: 'megabytes', label: 'Size at most, MB', help: 'Of the page; frames are omitted if the page would be larger.', kind: 'number', default: 20, least: 1, most: 500 },
]

/** Maximum size before compression, which browsers can decompress. */
const MAX_UNPACKED = 256 * 1024 * 1024

/** @param numbers indices of the frames that may be included */
export function runPage(
  reader: TrajectoryReader, written: Scene, numbers: readonly number[], stem: string, given: Readonly<Record<string, unknown>>,
): ExportResult {
  const most = Number(completeOptions(pageOptions, given).megabytes) * 1e6
  const scene = resolveScene(written)
  const losses: Loss[] = []
  if (scene.bodies.some(({ visuals }) => visuals !== undefined)) losses.push({ path: 'bodies[].visuals', message: 'visuals of bodies', instead: 'the surfaces of their shapes' })
  if (reader.header.bodyIds.length + scene.deformables.length > 65_535) {
    throw new HostError('TooMany', `A page has room for 65535 bodies, and this run has ${reader.header.bodyIds.length}.`)
  }
  let every = Math.max(1, Math.ceil(bytesOf(reader, numbers) / MAX_UNPACKED))
  for (;;) {
    const kept = numbers.filter((_, k) => k % every === 0 || k === numbers.length - 1)
    const page = pageOf(reader, written, kept, every * Math.round((numbers[1] ?? 1) - (numbers[0] ?? 0)))
    if (page.length <= most || kept.length <= 2) {
      if (page.length > most) throw new HostError('TooLarge', `Even two frames of this run make a page of ${megabytes(page.length)}; at most ${megabytes(most)} were allowed.`)
      if (every > 1) losses.push({ path: 'frames', message: `all ${numbers.length} frames would be more than ${megabytes(most)}`, instead: `every ${ordinal(every)} of them` })
      return { files: [{ name: `${stem}.html`, data: new TextEncoder().encode(page) }], losses }
    }
    every = Math.max(every + 1, Math.ceil(every * page.length / most))
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toPrecision(3)} MB`
const ordinal = (n: number): string => n === 2 ? 'second' : n === 3 ? 'third' : `${n}th`

/** Parts of one script: modules without their imports and exports. */
const script = [dataSource, shapesSource, deformablesSource, viewSource, chartSource, mainSource].map(source => source.replace(/^import .*\n/gm, '').replace(/^export /gm, '')).join('\n')

function pageOf(reader: TrajectoryReader, written: Scene, frames: readonly number[], every: number): string {
  const { engine, method, solver, sceneName, sceneHash, outputRate } = reader.header
  const facts = {
    title: sceneName || 'A run', description: written.description ?? '', engine, method, solver, sceneHash, outputRate, every, complete: reader.complete,
  }
  const { meta, data } = packRun(reader, resolveScene(written), frames, facts)
  // Escaped so that no name can end the script element.
  const json = JSON.stringify(meta).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'">
<title>${escaped(facts.title)}</title><style>${styleSource}</style></head><body>
<script id="meta" type="application/json">${json}</script>
<script id="data" type="text/plain">${gzipSync(data, { level: 9 }).toString('base64')}</script>
<script>(() => {
'use strict'
${script}
})()</script>
</body></html>
`
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
