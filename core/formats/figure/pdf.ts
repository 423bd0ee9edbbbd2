/**
 * A figure as PDF 1.4: one page of the figure's size without a background. Text is in Helvetica, which every reader has, so that no font is embedded,
 * and in the Western European encoding (WinAnsi). Letters outside it are replaced by question marks, and reported.
 */

import { SHIFT, SMALL, type Drawing, type Mark, type Run, type Stroke } from './drawing'
import { textWidth } from './helvetica'

export interface PdfFile {
  readonly data: Uint8Array
  /** Letters that the encoding lacks. */
  readonly replaced: readonly string[]
}

export function pdfOf({ width, height, title, marks }: Drawing): PdfFile {
  const replaced = new Set<string>()
  const stream = [`1 0 0 -1 0 ${number(height)} cm`, '1 j', ...marks.map(mark => operators(mark, replaced))].join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${number(width)} ${number(height)}] /Contents 4 0 R /Resources << /Font << /F0 5 0 R /F1 6 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ...['Helvetica', 'Helvetica-Oblique'].map(font => `<< /Type /Font /Subtype /Type1 /BaseFont /${font} /Encoding /WinAnsiEncoding >>`),
    `<< /Title ${literal(title, replaced)} /Producer (Cairn) >>`,
  ]
  // Four bytes above 127 mark the file as binary.
  let text = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const places = objects.map((object, k) => {
    const at = text.length
    text += `${k + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const start = text.length
  const entries = ['0000000000 65535 f ', ...places.map(at => `${String(at).padStart(10, '0')} 00000 n `)]
  text += `xref\n0 ${entries.length}\n${entries.join('\n')}\ntrailer\n<< /Size ${entries.length} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return { data: Uint8Array.from(text, letter => letter.charCodeAt(0)), replaced: [...replaced] }
}

const number = (x: number): string => String(Number(x.toFixed(3)))

function rgb(color: string): string {
  return [1, 3, 5].map(k => number(parseInt(color.slice(k, k + 2), 16) / 255)).join(' ')
}

const strokeSet = ({ color, width, dash = [] }: Stroke): string => `${rgb(color)} RG ${number(width)} w [${dash.map(number).join(' ')}] 0 d`
const paintWith = (stroke: Stroke | null, fill: string | null): string => stroke && fill !== null ? 'B' : stroke ? 'S' : fill !== null ? 'f' : 'n'
const setUp = (stroke: Stroke | null, fill: string | null): string => [stroke && strokeSet(stroke), fill !== null && `${rgb(fill)} rg`].filter(Boolean).join(' ')

/** Distance of the control points of a cubic Bézier quarter circle, × radius. */
const QUARTER = 0.5522847498

function operators(mark: Mark, replaced: Set<string>): string {
  switch (mark.kind) {
    case 'path': {
      const path = mark.points.map(([x, y], k) => `${number(x)} ${number(y)} ${k === 0 ? 'm' : 'l'}`).join(' ')
      return `${setUp(mark.stroke, mark.fill)} ${path}${mark.closed ? ' h' : ''} ${paintWith(mark.stroke, mark.fill)}`
    }
    case 'circle': {
      const { center: [x, y], radius: r } = mark
      const c = QUARTER * r
      const curve = (...at: number[]) => `${at.map(number).join(' ')} c`
      const path = [
        `${number(x + r)} ${number(y)} m`, curve(x + r, y + c, x + c, y + r, x, y + r), curve(x - c, y + r, x - r, y + c, x - r, y),
        curve(x - r, y - c, x - c, y - r, x, y - r), curve(x + c, y - r, x + r, y - c, x + r, y), 'h',
      ].join(' ')
      return `${setUp(mark.stroke, mark.fill)} ${path} ${paintWith(mark.stroke, mark.fill)}`
    }
    case 'text': {
      const { at: [x, y], runs, size, align, color } = mark
      const width = textWidth(runs, size)
      let place = align === 'left' ? x : align === 'center' ? x - width / 2 : x - width
      // The page is mirrored vertically; letters are mirrored back.
      const parts = runs.map(run => {
        const small = run.style === 'sub' || run.style === 'super'
        const shift = small ? SHIFT[run.style] * size : 0
        const text = `/F${run.style === 'italic' ? 1 : 0} ${number(small ? SMALL * size : size)} Tf 1 0 0 -1 ${number(place)} ${number(y + shift)} Tm ${literal(run.text, replaced)} Tj`
        place += widthOf(run, size)
        return text
      })
      return `BT ${rgb(color)} rg ${parts.join(' ')} ET`
    }
  }
}

const widthOf = (run: Run, size: number): number => textWidth([run], size)

/** WinAnsi codes of letters that differ from Latin-1, and substitutes for characters that it lacks. */
const WIN_ANSI: ReadonlyMap<string, number> = new Map([
  ['€', 0x80], ['‚', 0x82], ['„', 0x84], ['…', 0x85], ['†', 0x86], ['‰', 0x89], ['Š', 0x8a], ['Œ', 0x8c], ['Ž', 0x8e], ['‘', 0x91], ['’', 0x92], ['“', 0x93], ['”', 0x94],
  ['•', 0x95], ['–', 0x96], ['—', 0x97], ['™', 0x99], ['š', 0x9a], ['œ', 0x9c], ['ž', 0x9e], ['Ÿ', 0x9f], ['−', 0x96],
])

function literal(text: string, replaced: Set<string>): string {
  const coded = [...text].map(letter => {
    const code = letter.codePointAt(0)!
    const byte = (code >= 32 && code < 127) || (code >= 0xa0 && code < 0x100) ? code : WIN_ANSI.get(letter)
    if (byte === undefined) replaced.add(letter)
    const written = String.fromCharCode(byte ?? 63)
    return '\\()'.includes(written) ? `\\${written}` : written
  })
  return `(${coded.join('')})`
}
