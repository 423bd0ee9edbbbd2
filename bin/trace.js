#!/usr/bin/env node
/**
 * `npm run trace < error.txt`: replaces the positions of a stack trace in the built chunks by those in the sources, from the source maps beside the
 * chunks; `npm run trace -- folder` takes the maps of another build.
 */
import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * @param {string} text a stack trace, or a text with one
 * @param {string} folder of the source maps
 */
export function inSources(text, folder) {
  /** @type {Map<string, SourceMap | null>} */
  const maps = new Map()
  const mapOf = (/** @type {string} */ chunk) => {
    const path = join(folder, `${chunk}.map`)
    if (!maps.has(chunk)) maps.set(chunk, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null)
    return maps.get(chunk)
  }
  return text.replace(/[^\s()]*\.js:(\d+):(\d+)/g, (place, line, column) => {
    const chunk = basename(place.replace(/:\d+:\d+$/, ''))
    const entry = mapOf(chunk)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return place
    const source = relative(root, resolve(dirname(join(folder, chunk)), entry.originalSource))
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  process.stdout.write(inSources(readFileSync(0, 'utf8'), resolve(process.argv[2] ?? join(root, 'out/main'))))
}
