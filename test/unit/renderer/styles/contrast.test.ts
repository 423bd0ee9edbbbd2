import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync('renderer/styles/tokens.css', 'utf8')

function theme(name: string): Map<string, string> {
  const block = new RegExp(`\\[data-theme='${name}'\\] \\{([^}]*)\\}`).exec(css)![1]!
  return new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, key, value]) => [key!, value!]))
}

/** Relative luminance and contrast ratio of WCAG 2.1. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map(at => {
    const c = parseInt(color.slice(at, at + 2), 16) / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (light! + 0.05) / (dark! + 0.05)
}

const surfaces = ['bg', 'surface', 'raised', 'sunken', 'hover']
/** Colours of text and their backgrounds. */
const words: readonly (readonly [string, readonly string[]])[] = [
  ['text', [...surfaces, 'accent-soft']],
  ['muted', [...surfaces, 'accent-soft']],
  ['accent', ['surface', 'raised', 'bg', 'sunken', 'hover']],
  ['danger', ['surface', 'raised', 'bg', 'sunken', 'hover', 'danger-soft']],
  ['warning', ['surface', 'raised', 'bg', 'hover', 'warning-soft']],
  ['good', ['surface', 'raised', 'hover']],
  ['on-accent', ['accent', 'accent-strong']],
]
/** Colours of graphics: marks of contacts and events, focus, edges of switches that are on. */
const marks: readonly (readonly [string, readonly string[]])[] = [
  ['sticking', surfaces], ['sliding', surfaces], ['separating', surfaces], ['rolling', surfaces], ['impact', surfaces], ['focus', surfaces], ['line-strong', surfaces],
  ['accent', ['accent-soft']],
]

describe.each(['dark', 'light'])('in the %s theme', name => {
  const colors = theme(name)
  const pairs = (of: typeof words) => of.flatMap(([front, backs]) => backs.map(back => [front, back] as const))

  it('black and white have a contrast of 21, and every colour is found', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 10)
    for (const [front, back] of [...pairs(words), ...pairs(marks)]) expect([colors.has(front), colors.has(back)]).toEqual([true, true])
  })

  it.each(pairs(words))('%s on %s is legible: at least 4.5', (front, back) => {
    expect(contrast(colors.get(front)!, colors.get(back)!)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(pairs(marks))('%s is distinguishable on %s: at least 3', (front, back) => {
    expect(contrast(colors.get(front)!, colors.get(back)!)).toBeGreaterThanOrEqual(3)
  })
})
