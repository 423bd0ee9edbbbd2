/** Materials of OBJ files: diffuse colour `Kd` and picture `map_Kd`. Other records do not affect the visuals of the scene. */

import { hexOfSrgb } from '../shared/colors'
import { NO_LOOK, type Look } from './look'

/** Materials by name. */
export function readMtl(text: string): Map<string, Look> {
  const materials = new Map<string, Look>()
  let name: string | null = null
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.replace(/#.*$/, '').trim()
    const [word = '', ...rest] = line.split(/\s+/)
    if (word === 'newmtl') materials.set(name = rest.join(' '), NO_LOOK)
    if (name === null) continue
    const known = materials.get(name)!
    if (word === 'Kd' && rest.length >= 3 && rest.slice(0, 3).every(value => Number.isFinite(Number(value)))) {
      materials.set(name, { ...known, color: hexOfSrgb(rest.map(Number)) })
    } else if (word.toLowerCase() === 'map_kd') {
      const file = fileOf(rest)
      if (file !== '') materials.set(name, { ...known, texture: { file } })
    }
  }
  return materials
}

/** Numbers behind each option of a map; those of -o, -s and -t may be fewer. */
const OPTIONS: Readonly<Record<string, number>> = {
  '-blendu': 1, '-blendv': 1, '-boost': 1, '-mm': 2, '-o': 3, '-s': 3, '-t': 3, '-texres': 1, '-clamp': 1, '-bm': 1, '-imfchan': 1, '-type': 1, '-cc': 1,
}

/** The file's name, which may contain spaces, without the options before it. */
function fileOf(words: readonly string[]): string {
  let at = 0
  while (at < words.length && OPTIONS[words[at]!] !== undefined) {
    const most = OPTIONS[words[at++]!]!
    for (let k = 0; k < most && at < words.length - 1 && (k === 0 || Number.isFinite(Number(words[at]))); k++) at++
  }
  return words.slice(at).join(' ')
}
