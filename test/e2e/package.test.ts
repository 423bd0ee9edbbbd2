// @module-tag long
/** The packaged application without Electron itself: its contents, and that every process but the shell runs from it under Node. */
import { execFile, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createBirpc } from 'birpc'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSources } from '../../bin/trace.js'
import { TrajectoryReader } from '../../main/engine/reader'
import type { EngineCalls } from '../../main/shell/engine-calls'
import { packed, type Packed } from './packed'

let app: Packed
beforeAll(async () => {
  app = await packed()
})
afterAll(() => app.remove())

/** MB: largest size of the archive; less than half of its size with unmodified packages, 46.5. */
const mostMegabytes = 22.75

const root = fileURLToPath(new URL('../..', import.meta.url))
const at = (path: string) => join(app.app, path)

/** A plank that a script pushes, and a ball. */
const scene = JSON.stringify({
  format: 'cairn-scene', version: 1, materials: [{ id: 'wood', density: 600, friction: { static: 0.4, dynamic: 0.3 } }],
  bodies: [
    { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] },
    { id: 'plank', type: 'dynamic', position: [0, 0, 0.05], shapes: [{ type: 'box', size: [1, 0.2, 0.1], material: 'wood' }] },
  ],
  scripts: [{ id: 'push.ts', source: `export default function (ctx: ForceContext): void { ctx.body('plank').applyForce([100, 0, 0]); ctx.plot('x', ctx.time) }` }],
  forces: [{ id: 'push', type: 'script', script: 'push.ts' }],
  simulation: { duration: 0.2, outputRate: 50 },
})

/** Dynamic and static imports, and requires, of installed packages; names of other packages come from texts and comments that look like imports. */
function packagesNamedIn(code: string): string[] {
  const named = [...code.matchAll(/(?:from\s*|import\s*\(?\s*|require\()["']((?:@[\w.-]+\/)?[\w][\w.-]*(?:\/[\w./-]+)?)["']/g)].map(match => match[1]!)
  const installed = (name: string) => existsSync(join(root, 'node_modules', ...name.split('/').slice(0, name.startsWith('@') ? 2 : 1)))
  return [...new Set(named)].filter(name => !name.startsWith('node:') && !builtinModules.includes(name) && name !== 'electron' && installed(name))
}

describe('the archive', () => {
  it('holds what the application starts from', () => {
    for (const path of [
      'package.json', 'out/main/main.js', 'out/main/engine-process.js', 'out/main/worker.js', 'out/main/check-worker.js', 'out/main/decompose-worker.js',
      'out/preload/preload.cjs', 'out/renderer/index.html', 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm',
    ]) expect(app.files.has(path), path).toBe(true)
    const { main } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { main: string }
    expect(app.files.has(main)).toBe(true)
    for (const script of readFileSync(at('out/renderer/index.html'), 'utf8').matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
      expect(app.files.has(`out/renderer/${script[1]!}`), script[1]).toBe(true)
    }
  })

  it('holds nothing that only its makers need, and is no larger than it has to be', () => {
    const paths = [...app.files.keys()]
    expect(paths.filter(path => /\.(map|d\.[cm]?ts)$|^(test|docs|core|main|renderer)\//.test(path))).toStrictEqual([])
    for (const name of ['typescript', 'electron', 'vite', 'vitest', 'monaco-editor', '@babylonjs']) expect(paths.some(path => path.startsWith(`node_modules/${name}/`)), name).toBe(false)
    expect(app.archiveBytes / 1e6).toBeLessThan(mostMegabytes)
  })

  it('names its own functions, and the source maps of the build lead from their positions to the sources', () => {
    const chunks = [...app.files.keys()].filter(file => /^out\/main\/[^/]+\.js$/.test(file)).map(file => ({ file, code: readFileSync(at(file), 'utf8') }))
    for (const [source, name] of [
      ['core/simulation/compile.ts', 'compile'], ['core/math/short-number.ts', 'shortNumber'], ['main/cli/help.ts', 'helpText'], ['core/methods/event-driven/unresolved.ts', 'unresolved'],
    ] as const) {
      const places = chunks.flatMap(({ file, code }) => [...code.matchAll(new RegExp(`function ${name}\\(`, 'g'))].map(({ index }) => {
        const before = code.slice(0, index)
        return `at ${name} (/cairn/${file}:${before.split('\n').length}:${index - before.lastIndexOf('\n')})`
      }))
      const found = [...inSources(places.join('\n'), join(root, 'out/main')).matchAll(/\((.*):(\d+):\d+\)/g)]
      const [, , line] = found.find(([, path]) => path === source) ?? []
      expect(readFileSync(join(root, source), 'utf8').split('\n')[Number(line) - 1], `${source}: ${places.join()}`).toContain(`function ${name}(`)
    }
  })

  it('holds every package that its processes import', async () => {
    const missing: string[] = []
    for (const path of [...app.files.keys()].filter(file => /^out\/main\/[^/]+\.js$/.test(file))) {
      for (const name of packagesNamedIn(readFileSync(at(path), 'utf8'))) {
        const resolving = `import.meta.resolve ? import.meta.resolve(${JSON.stringify(name)}) : ''`
        const found = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', `console.log(${resolving})`], { cwd: dirname(at(path)) })
          .then(({ stdout }) => stdout.trim(), () => '')
        if (found === '' || !existsSync(new URL(found))) missing.push(`${path}: ${name}`)
      }
    }
    expect(missing).toStrictEqual([])
  })

  it('has Electron\'s fuses set: no Node in its place, no options for it, only its own archive', () => {
    // RunAsNode, cookie encryption, NODE_OPTIONS, --inspect, archive integrity, only the archive, V8 snapshot, file protocol privileges [@electron/fuses].
    expect(app.fuses.slice(0, 8)).toBe('01001100')
  })
})

describe('from the archive', () => {
  it('the command line runs a scene with a script: run worker, sandbox, WebAssembly and all', async () => {
    const [input, output] = [at('push.cairn.json'), at('push.mcap')]
    writeFileSync(input, scene)
    const { stdout } = await promisify(execFile)(process.execPath, [at('out/main/cli.js'), 'simulate', input, '-o', output, '--json'], { cwd: app.app })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', frames: 11 })
    const reader = new TrajectoryReader(output)
    expect(reader.script(10).names).toStrictEqual(['x'])
    expect(reader.frame(10).bodies[13]).toBeGreaterThan(0.01)
    reader.close()
  })

  it('the engine\'s process serves the shell, and ends when it is told to stop', async () => {
    const home = at('home')
    const child = startEngine(home)
    const shell = createBirpc<EngineCalls, object>({}, {
      post: call => child.send({ kind: 'call', call }), on: listener => { child.on('message', listener) }, timeout: -1,
    })
    const path = at('shell.cairn.json')
    const died = once(child, 'exit').then(([code]) => { throw new Error(`The process ended with exit code ${String(code)}.`) })
    await Promise.race([shell.write(path, new TextEncoder().encode(scene)), died])
    expect(await Promise.race([shell.handleFor(path), died])).toBeTypeOf('string')
    died.catch(() => undefined)
    child.send({ kind: 'stop' })
    const [code] = await once(child, 'exit') as [number]
    expect(code).toBe(0)
  })

  it('the engine\'s process says why it cannot start, and ends', async () => {
    const child = startEngine(join(at('package.json'), 'home'))
    const told: unknown[] = []
    child.on('message', message => told.push(message))
    const [code] = await once(child, 'exit') as [number]
    const [message] = told
    expect(message).toMatchObject({ kind: 'refusal', message: expect.stringContaining('CAIRN_HOME') as string })
    expect(code).toBe(1)
  })

  it('the decomposition runs, Rapier\'s WebAssembly included', async () => {
    const input = at('mesh.cairn.json')
    const torus = join(dirname(app.app), 'bowl.obj')
    writeFileSync(torus, bowl())
    const { stdout } = await promisify(execFile)(
      process.execPath, [at('out/main/cli.js'), 'import', torus, '-o', input, '--method', 'approximate', '--resolution', '32', '--json'], { cwd: app.app })
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' })
  })
})

/** The engine's process, with Electron's `process.parentPort` implemented over Node's channel. */
function startEngine(home: string): ChildProcess {
  const port = at('parent-port.mjs')
  writeFileSync(port, `process.parentPort = {
    postMessage: message => process.send(message),
    on: (_, listener) => process.on('message', data => listener({ data, ports: [] })),
  }\n`)
  return fork(at('out/main/engine-process.js'), [], {
    execArgv: ['--import', pathToFileURL(port).href], env: { ...process.env, CAIRN_HOME: home }, serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

/** A tetrahedron with a dent, which no convex piece fills: OBJ. */
function bowl(): string {
  const points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.3, 1], [0.3, 0.3, 0.3]]
  const faces = [[1, 2, 4], [2, 3, 4], [3, 1, 4], [1, 5, 2], [2, 5, 3], [3, 5, 1]]
  return [...points.map(p => `v ${p.join(' ')}`), ...faces.map(f => `f ${f.join(' ')}`)].join('\n')
}
