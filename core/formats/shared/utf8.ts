/** Decodes UTF-8 without platform functions: core runs in any JavaScript engine. */

const PART = 8192

/** Invalid bytes become U+FFFD; a byte order mark is skipped. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  let part: number[] = []
  let at = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  while (at < bytes.length) {
    const first = bytes[at]!
    const more = first < 0x80 ? 0 : first >= 0xf0 && first < 0xf5 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : -1
    let code = more < 0 || first >= 0xf5 ? 0xfffd : first & [0x7f, 0x1f, 0x0f, 0x07][more]!
    let taken = 1
    /** Length of an incomplete sequence, which becomes one U+FFFD. */
    let broken = 1
    for (; code !== 0xfffd && taken <= more; taken++) {
      const next = bytes[at + taken] ?? 0
      if ((next & 0xc0) !== 0x80) {
        code = 0xfffd
        broken = taken
      } else code = (code << 6) | (next & 0x3f)
    }
    const overlong = more > 0 && code < [0, 0x80, 0x800, 0x10000][more]!
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd
    at += code === 0xfffd ? broken : taken
    part.push(code)
    if (part.length === PART) {
      text += String.fromCodePoint(...part)
      part = []
    }
  }
  return text + String.fromCodePoint(...part)
}

/** A file's content as text, whether given as text or bytes. */
export function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : decodeUtf8(content)
}
