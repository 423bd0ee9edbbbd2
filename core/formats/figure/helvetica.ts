/**
 * Widths of the letters of Helvetica, in thousandths of the font size, from Adobe's font metrics. Every PDF reader has this font; browsers use
 * similar ones.
 */

import { SMALL, type Run } from './drawing'

const FROM = 32
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
  667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
  556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]
/** Approximate width of letters outside ASCII. */
const OTHER = 556
const KNOWN: Readonly<Record<string, number>> = { '−': 584, '·': 278, '²': 333, '³': 333, '°': 400, '–': 556, '…': 1000 }

const letterWidth = (letter: string): number => KNOWN[letter] ?? WIDTHS[letter.codePointAt(0)! - FROM] ?? OTHER

/** Points. */
export function textWidth(runs: readonly Run[], size: number): number {
  return runs.reduce((sum, run) => {
    const own = run.style === 'sub' || run.style === 'super' ? SMALL * size : size
    return sum + [...run.text].reduce((width, letter) => width + letterWidth(letter), 0) * own / 1000
  }, 0)
}

/** The text cut to a width, with an ellipsis if it is cut. */
export function shortened(text: string, size: number, width: number): string {
  if (textWidth([{ text }], size) <= width) return text
  const letters = [...text]
  while (letters.length > 1 && textWidth([{ text: `${letters.join('')}…` }], size) > width) letters.pop()
  return `${letters.join('')}…`
}
