/** The help of the command line, and its answers to unknown words. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportFormats, importFormats } from '../../../../core/formats'
import { sceneSchema, schemaAt, describeField } from '../../../../core/scene'
import { checkOptions } from '../../../../main/cli/check'
import { compareOptions } from '../../../../main/cli/compare'
import { decomposeOptions } from '../../../../main/cli/decompose'
import { exportOptions } from '../../../../main/cli/export'
import { COMMANDS, helpText } from '../../../../main/cli/help'
import { figureOptions } from '../../../../main/cli/figure'
import { importOptions } from '../../../../main/cli/import'
import { inspectOptions } from '../../../../main/cli/inspect'
import { openOptions } from '../../../../main/cli/open'
import { renderOptions } from '../../../../main/cli/render'
import { simulateOptions } from '../../../../main/cli/simulate'
import { sweepOptions } from '../../../../main/cli/sweep'
import { planOptions } from '../../../../main/cli/sweep-plan'
import { tableOptions } from '../../../../main/cli/table'
import { validateOptions } from '../../../../main/cli/validate'
import { workerOptions } from '../../../../main/cli/worker'
import { built, scratch } from '../built'

const folder = scratch()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let cli = ''
beforeAll(async () => {
  cli = built().cli
})

function cairn(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder, timeout: 50_000 })
  return { code: status, out: stdout, err: stderr }
}

const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n'

describe('help', () => {
  const options = {
    open: openOptions, validate: validateOptions, simulate: simulateOptions, inspect: inspectOptions, table: tableOptions, export: exportOptions,
    import: importOptions, decompose: decomposeOptions, render: renderOptions, compare: compareOptions, check: checkOptions,
    figure: figureOptions, sweep: { ...sweepOptions, ...planOptions }, worker: workerOptions,
  }

  it.each(Object.entries(options))('of %s explains every option that it takes', async (name, taken) => {
    const text = await helpText(name)
    const explained = text.slice(text.indexOf('\n\n'))
    for (const option of Object.keys(taken)) expect(explained).toContain(`--${option}`)
  })

  it('names every solver of the scene format', async () => {
    const text = await helpText('simulate')
    for (const section of ['eventDriven', 'timeStepping']) {
      for (const solver of describeField('solver', schemaAt(sceneSchema, ['simulation', section, 'solver'], {})!).options) expect(text).toContain(solver)
    }
  })

  it('names every format, with its options', async () => {
    const [exporting, importing] = [await helpText('export'), await helpText('import')]
    expect(exporting).toContain(`--to ${exportFormats.map(({ id }) => id).join('|')} `)
    expect(importing).toContain(`--from ${importFormats.map(({ id }) => id).join('|')} `)
    for (const { exporter } of exportFormats) for (const { id } of exporter.options) expect(exporting).toContain(`${id}=`)
    for (const { importer } of importFormats) for (const { id } of importer.options) expect(importing).toContain(`${id}=`)
  })

  it.each([[['--version']], [['--help']], [['simulate', '--help']]])('%j loads no engine: less than 100 kB of code', args => {
    const coverage = join(folder, `loaded${args.join('')}`)
    const { status } = spawnSync(process.execPath, [cli, ...args], { cwd: folder, timeout: 50_000, env: { ...process.env, NODE_V8_COVERAGE: coverage } })
    expect(status).toBe(0)
    const loaded = readdirSync(coverage).flatMap(name => (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }).result)
      .filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url))
    expect(loaded).toContain(cli)
    expect(loaded.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(100_000)
  })

  it('covers one command or all, and refuses a command that does not exist', async () => {
    expect(cairn('simulate', '--help')).toEqual({ code: 0, out: `${await helpText('simulate')}\n`, err: '' })
    expect(cairn('help', 'table').out).toBe(`${await helpText('table')}\n`)
    const all = await helpText(undefined)
    expect(cairn('--help').out).toBe(`${all}\n`)
    for (const { usage } of Object.values(COMMANDS)) expect(all).toContain(usage)
    expect(cairn('fly', '--help')).toMatchObject({ code: 2, err: expect.stringContaining('There is no command "fly"') as string })
  })
})

describe('an unknown option or value', () => {
  it('is named, with what is allowed', () => {
    expect(cairn('validate', '--bogus', 'x').err).toBe('error: There is no option "--bogus". (allowed: --json)\n')
    expect(cairn('simulate', 'x', '--duration', '-1').err).toBe('error: --duration is "-1". (allowed: a number > 0)\n')
    expect(cairn('inspect', 'none.mcap', '--time', '-.5').err).not.toContain('ambiguous')
  })

  it('is reported with its place once', () => {
    writeFileSync(join(folder, 'bad.cairn.json'), '{"name":"Bad')
    expect(cairn('validate', 'bad.cairn.json').out).toBe('error: The string does not end (line 1, column 9, in name)\n1 error\n')
  })
})

describe('--step and --solver', () => {
  const scene = (method?: string) => {
    const name = `${method ?? 'none'}.cairn.json`
    writeFileSync(join(folder, name), JSON.stringify({
      format: 'cairn-scene', version: 1, materials: [{ id: 'm', density: 1000 }],
      bodies: [{ id: 'ball', position: [0, 0, 1], shapes: [{ type: 'sphere', radius: 0.1, material: 'm' }] }],
      simulation: { duration: 0.1, outputRate: 10, ...(method === undefined ? {} : { method }) },
    }))
    return name
  }
  const steps = (...args: string[]) => (JSON.parse(cairn('simulate', ...args, '--json').out) as { steps: number }).steps

  it('belong to the method that the scene asks for', { tags: 'long' }, () => {
    expect(steps(scene('time-stepping'), '--step', '0.02')).toBe(5)
    expect(steps(scene('time-stepping'), '--step', '0.01')).toBe(10)
    expect(cairn('simulate', scene('time-stepping'), '--solver', 'qp').err).toContain('simulation.timeStepping.solver')
  })

  it('belong to the method that is chosen if the scene says auto', { tags: 'long' }, () => {
    for (const solver of ['qp', 'accelerated', 'sor']) expect(cairn('simulate', scene(), '--solver', solver).code).toBe(0)
    expect(cairn('simulate', scene(), '--solver', 'magic')).toMatchObject({ code: 2, err: expect.stringContaining('"magic"') as string })
  })
})

describe('an existing scene', () => {
  it('is not replaced by an import unless -o names it', () => {
    writeFileSync(join(folder, 'tetrahedron.obj'), TETRAHEDRON)
    writeFileSync(join(folder, 'tetrahedron.cairn.json'), 'mine')
    expect(cairn('import', 'tetrahedron.obj')).toMatchObject({ code: 2, err: expect.stringContaining('"tetrahedron.cairn.json" already exists.') as string })
    expect(readFileSync(join(folder, 'tetrahedron.cairn.json'), 'utf8')).toBe('mine')
    expect(cairn('import', 'tetrahedron.obj', '-o', 'tetrahedron.cairn.json').code).toBe(0)
    expect(cairn('decompose', 'tetrahedron.cairn.json').out).toContain('every mesh has its pieces already')
  })

  it('without meshes is not decomposed', () => {
    writeFileSync(join(folder, 'empty.cairn.json'), JSON.stringify({ format: 'cairn-scene', version: 1, bodies: [] }))
    expect(cairn('decompose', 'empty.cairn.json').out).toBe('empty.cairn.json: there is no mesh\n')
  })
})
