import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { built, scenes, scratch, type Built } from '../built'

type Vec = [number, number, number]
interface Told {
  status: string; time: number; center: Vec; residual: { force: number; moment: number }
  sum: { force: Vec; torque: Vec }; rate: { force: Vec; torque: Vec } | null
  forces: { symbol: string; kind: string; source: string; force: Vec; point: Vec; couple: Vec; moment: Vec }[]
  errors?: { name: string; allowed: string | null }[]
}

const sub = (a: Vec, b: Vec) => a.map((x, k) => x - b[k]!) as Vec
const add = (a: Vec, b: Vec) => a.map((x, k) => x + b[k]!) as Vec
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
const size = (a: Vec) => Math.hypot(...a)

describe('cairn figure', () => {
  const folder = scratch()
  let shipped: Built
  const cairn = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [shipped.cli, ...args], { encoding: 'utf8', cwd: folder })
    return { stdout, stderr, status }
  }
  const figure = (...args: string[]) => {
    const { stdout, status } = cairn('figure', ...args, '--json')
    return { ...JSON.parse(stdout) as Told, code: status }
  }

  beforeAll(async () => {
    shipped = built()
    for (const name of ['block-on-an-incline', 'four-bar', 'door-with-a-motor']) {
      expect(cairn('simulate', join(scenes, `${name}.cairn.json`), '-o', `${name}.mcap`, '--duration', '0.6').status).toBe(0)
    }
  }, 300_000)

  it('draws forces that sum to m a, each with its moment about the centre of mass', { tags: 'long' }, () => {
    for (const [run, bodies] of Object.entries({ 'block-on-an-incline': ['waxed', 'wooden'], 'four-bar': null, 'door-with-a-motor': null })) {
      const ids = bodies ?? (JSON.parse(cairn('inspect', `${run}.mcap`, '--json').stdout) as { bodies: { id: string }[] }).bodies.map(body => body.id)
      for (const body of ids) {
        const told = figure(`${run}.mcap`, '--body', body, '--time', '0.5', '-o', 'a.svg', '--polygon', '--table')
        if (!told.rate) continue
        const largest = Math.max(...told.forces.map(({ force }) => size(force)))
        const all = told.forces.reduce<Vec>((sum, { force }) => add(sum, force), [0, 0, 0])
        expect(size(sub(all, told.rate.force))).toBeLessThan(1e-9 * largest)
        expect(told.residual.force).toBeLessThan(1e-9 * largest)
        const moments = told.forces.reduce<Vec>((sum, { moment }) => add(sum, moment), [0, 0, 0])
        expect(size(sub(moments, told.rate.torque))).toBeLessThan(1e-8 * largest)
        for (const { force, point, couple, moment } of told.forces) {
          expect(size(sub(add(cross(sub(point, told.center), force), couple), moment))).toBeLessThan(1e-9 * largest)
        }
      }
    }
  })

  it('shows the weight, the normal force and the friction of a block on a slope', () => {
    const told = figure('block-on-an-incline.mcap', '--body', 'waxed', '--time', '0.5', '-o', 'b.svg', '--contacts', 'resultant')
    expect(told.forces.map(({ symbol }) => symbol)).toEqual(['W', 'N', 'F'])
    const [weight, normal, friction] = told.forces.map(({ force }) => size(force)) as Vec
    expect(normal / weight).toBeCloseTo(Math.cos(20 * Math.PI / 180), 9)
    expect(friction / normal).toBeCloseTo(0.2, 9)
    const points = figure('block-on-an-incline.mcap', '--body', 'waxed', '--time', '0.5', '-o', 'b.svg')
    expect(points.forces.filter(({ kind }) => kind === 'normal')).toHaveLength(4)
  })

  it('draws arrows to the scale printed below', () => {
    figure('block-on-an-incline.mcap', '--body', 'waxed', '--time', '0.5', '-o', 'c.svg', '--contacts', 'resultant', '--view', 'xz')
    const svg = readFileSync(join(folder, 'c.svg'), 'utf8')
    const paths = [...svg.matchAll(/<path d="([^"]+)" fill="([^"]+)"(?: stroke="([^"]+)")?/g)].map(([, d, fill, stroke]) => ({
      points: [...d!.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const), fill: fill!, stroke,
    }))
    /** From an arrow's tail to its head's tip: the shaft is followed by the head. */
    const arrows = paths.flatMap((path, k) => {
      const next = paths[k + 1]
      if (!path.stroke || path.points.length !== 2 || next?.fill !== path.stroke) return []
      return [{ color: path.stroke, length: Math.hypot(next.points[0]![0] - path.points[0]![0], next.points[0]![1] - path.points[0]![1]) }]
    })
    const scale = Number(/>([\d.]+) N<\/text>/.exec(svg.slice(svg.lastIndexOf('#1a1a1a" stroke-width="1.6"')))![1])
    const bar = arrows.findLast(({ color }) => color === '#1a1a1a')!.length
    const told = figure('block-on-an-incline.mcap', '--body', 'waxed', '--time', '0.5', '-o', 'c.svg', '--contacts', 'resultant', '--view', 'xz')
    const weight = size(told.forces[0]!.force)
    expect(arrows.find(({ color }) => color === '#00785a')!.length / bar * scale).toBeCloseTo(weight, 1)
  })

  it('writes PDF, and refuses bodies, times and formats that do not exist', { tags: 'long' }, () => {
    expect(figure('four-bar.mcap', '--body', 'coupler', '-o', 'd.pdf').status).toBe('completed')
    expect(readFileSync(join(folder, 'd.pdf')).subarray(0, 8).toString()).toBe('%PDF-1.4')
    expect(figure('four-bar.mcap', '--body', 'nobody', '-o', 'd.pdf')).toMatchObject({ code: 2, status: 'refused', errors: [{ name: 'UnknownReference' }] })
    expect(figure('four-bar.mcap', '--body', 'coupler', '-o', 'd.png').errors![0]!.allowed).toContain('.svg or .pdf')
    expect(figure('four-bar.mcap', '--body', 'coupler', '--time', '9', '-o', 'd.pdf').code).toBe(2)
  })
})
