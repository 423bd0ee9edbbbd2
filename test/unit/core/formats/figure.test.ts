import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { pdfOf, svgOf, type Drawing } from '../../../../core/formats/figure'
import { labelMarks } from '../../../../core/formats/figure/labels'
import { arrow, roundBelow, turn } from '../../../../core/formats/figure/marks'

const drawing: Drawing = {
  width: 200, height: 100, title: 'Forces on <b> & (c)', marks: [
    { kind: 'path', points: [[10, 20], [30.12345, 40], [50, 20]], closed: true, stroke: { color: '#0072b2', width: 1.5, dash: [4, 2] }, fill: null },
    { kind: 'circle', center: [60, 60], radius: 5, stroke: null, fill: '#ff0000' },
    { kind: 'text', at: [100, 50], runs: [{ text: 'N', style: 'italic' }, { text: '1', style: 'sub' }, { text: ' = −4 · 10' }, { text: '3', style: 'super' }], size: 10, align: 'right', color: '#000000' },
    { kind: 'text', at: [5, 90], runs: [{ text: 'Würfel (α) \\' }], size: 10, align: 'left', color: '#000000' },
  ],
}

describe('a figure', () => {
  it('is well-formed SVG without a background', () => {
    const elements: { name: string; attributes: Record<string, string>; text: string }[] = []
    const open: (typeof elements)[number][] = []
    const parser = new SaxesParser()
    parser.on('error', error => { throw error })
    parser.on('opentag', ({ name, attributes }) => {
      const element = { name, attributes, text: '' }
      elements.push(element)
      open.push(element)
    })
    parser.on('text', text => { for (const element of open) element.text += text })
    parser.on('closetag', () => { open.pop() })
    parser.write(svgOf(drawing)).close()
    const named = (name: string) => elements.filter(element => element.name === name)
    expect(named('title')[0]!.text).toBe('Forces on <b> & (c)')
    expect(named('rect')).toHaveLength(0)
    expect(named('path')[0]!.attributes.d).toBe('M10 20L30.123 40L50 20Z')
    expect(named('text').map(({ text }) => text)).toEqual(['N1 = −4 · 103', 'Würfel (α) \\'])
  })

  it('is a PDF with a valid table of objects, and reports missing characters', () => {
    const { data, replaced } = pdfOf(drawing)
    const text = String.fromCharCode(...data)
    expect(text.startsWith('%PDF-1.4')).toBe(true)
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1])
    expect(text.slice(start, start + 4)).toBe('xref')
    const places = [...text.slice(start).matchAll(/(\d{10}) 00000 n /g)].map(match => Number(match[1]))
    expect(places).toHaveLength(7)
    places.forEach((place, k) => expect(text.slice(place).startsWith(`${k + 1} 0 obj\n`)).toBe(true))
    const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(text)!
    expect(stream!.length).toBe(Number(length))
    expect(stream).toContain('0 0.447 0.698 RG')
    expect(text).toContain('(W\xfcrfel \\(?\\) \\\\)')
    expect(replaced).toEqual(['α'])
  })

  it('has arrows that end where they point, and moments that turn the right way', () => {
    const [shaft, head] = arrow([0, 0], [30, 40], { color: '#000000', width: 1 })
    expect(head).toMatchObject({ closed: true })
    expect((head as unknown as { points: number[][] }).points[0]).toEqual([30, 40])
    expect((shaft as unknown as { points: number[][] }).points[0]).toEqual([0, 0])
    for (const sign of [1, -1]) {
      const [arc] = turn([0, 0], 10, sign, { color: '#000000', width: 1 }) as unknown as { points: [number, number][] }[]
      const [[ax, ay], [bx, by]] = [arc!.points[0]!, arc!.points[1]!]
      // y is down on paper: counter-clockwise is where the cross product is below 0.
      expect(Math.sign(ax * by - ay * bx)).toBe(-sign)
    }
  })

  it('has scales of 1, 2 or 5', () => {
    expect([0.99, 1, 1.9, 2, 4.99, 7, 10, 0.0031, 4321].map(roundBelow)).toEqual([0.5, 1, 1, 2, 2, 5, 10, 0.002, 2000])
  })

  it('counts labels without room, the largest force first in place', () => {
    const labels = Array.from({ length: 30 }, (_, k) => ({ runs: [{ text: `N = ${k}.3 N` }], near: [100, 100] as const, towards: [0, -1] as const, color: '#000000', weight: k }))
    const marks = labelMarks(labels, [], { left: 60, top: 60, right: 200, bottom: 200 }, { size: 9, faint: '#777777' })
    const texts = marks.flatMap(mark => mark.kind === 'text' ? mark.runs.map(({ text }) => text).join('') : [])
    expect(texts[0]).toBe('N = 29.3 N')
    expect(texts.at(-1)).toBe(`+${30 - (texts.length - 1)} more`)
    expect(texts.length).toBeGreaterThan(3)
  })
})
