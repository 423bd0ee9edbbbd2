/** A figure as SVG 1.1: paths and text without a background, in a form that drawing programs can edit. */

import { SHIFT, SMALL, type Drawing, type Mark, type Stroke } from './drawing'

export function svgOf({ width, height, title, marks }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`, `<g font-family="Helvetica, Arial, sans-serif" stroke-linejoin="round" stroke-linecap="butt">`,
    ...marks.map(element), '</g>', '</svg>', '',
  ].join('\n')
}

/** A thousandth of a point is far below what is visible. */
const coordinate = (x: number): string => String(Number(x.toFixed(3)))
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function paint(stroke: Stroke | null, fill: string | null): string {
  const dash = stroke?.dash && stroke.dash.length > 0 ? ` stroke-dasharray="${stroke.dash.join(' ')}"` : ''
  return `fill="${fill ?? 'none'}"${stroke ? ` stroke="${stroke.color}" stroke-width="${stroke.width}"${dash}` : ''}`
}

function element(mark: Mark): string {
  switch (mark.kind) {
    case 'path': {
      const d = mark.points.map(([x, y], k) => `${k === 0 ? 'M' : 'L'}${coordinate(x)} ${coordinate(y)}`).join('')
      return `<path d="${d}${mark.closed ? 'Z' : ''}" ${paint(mark.stroke, mark.fill)}/>`
    }
    case 'circle':
      return `<circle cx="${coordinate(mark.center[0])}" cy="${coordinate(mark.center[1])}" r="${coordinate(mark.radius)}" ${paint(mark.stroke, mark.fill)}/>`
    case 'text': {
      const { at: [x, y], size, align, color } = mark
      const anchor = align === 'left' ? '' : ` text-anchor="${align === 'center' ? 'middle' : 'end'}"`
      // `dy` shifts all following text, so it is reset after sub- and superscripts.
      let shifted = 0
      const spans = mark.runs.map(({ text, style }) => {
        const small = style === 'sub' || style === 'super'
        const to = small ? SHIFT[style] * size : 0
        const dy = to - shifted
        shifted = to
        const attributes = [
          dy !== 0 ? ` dy="${coordinate(dy)}"` : '', small ? ` font-size="${coordinate(SMALL * size)}"` : '', style === 'italic' ? ' font-style="italic"' : '',
        ].join('')
        return attributes === '' ? escaped(text) : `<tspan${attributes}>${escaped(text)}</tspan>`
      })
      return `<text x="${coordinate(x)}" y="${coordinate(y)}" font-size="${coordinate(size)}" fill="${color}"${anchor} xml:space="preserve">${spans.join('')}</text>`
    }
  }
}
