// @module-tag long
/** A run of the dominoes as an animated glb, played by Babylon in a real browser: the poses at ten instants are those of the run. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filmGltf } from '../../core/formats/gltf/film'
import type { TrajectoryFrame } from '../../core/formats'
import { requireScene, resolveScene, type ResolvedScene } from '../../core/scene'
import type { Pose } from '../../core/math/pose'
import { rotate } from '../../core/math/quaternion'
import { bodyAt, recorded } from '../verification/support'
import { chromium, newPage } from './chromium'

const PLAYER = `
import { ArcRotateCamera, Color4, Engine, HemisphericLight, ImportMeshAsync, Scene, Vector3 } from '@babylonjs/core'
import '@babylonjs/loaders/glTF'
window.load = async url => {
  const engine = new Engine(document.querySelector('canvas'), true, { preserveDrawingBuffer: true })
  const scene = new Scene(engine)
  scene.useRightHandedSystem = true
  scene.clearColor = new Color4(0.9, 0.92, 0.95, 1)
  new HemisphericLight('light', new Vector3(0.3, 1, 0.4), scene).intensity = 1.1
  new ArcRotateCamera('camera', -1.1, 1.15, 5, new Vector3(1.5, 0.1, 0), scene).minZ = 0.01
  await ImportMeshAsync(url, scene, { pluginExtension: '.glb' })
  const [film] = scene.animationGroups
  film.start(false); film.pause()
  const rate = film.targetedAnimations[0].animation.framePerSecond
  window.at = seconds => {
    film.goToFrame(seconds * rate)
    scene.render()
    return Object.fromEntries(scene.transformNodes.concat(scene.meshes).map(node => [node.name, Array.from(node.computeWorldMatrix(true).m)]))
  }
}
`

const INSTANTS = 10
const scene = resolveScene(requireScene(readFileSync('scenes/twenty-dominoes.cairn.json', 'utf8')))

/** Two seconds of the gallery's dominoes. */
function dominoes(document: ResolvedScene): TrajectoryFrame[] {
  const { frames } = recorded({ ...document, simulation: { ...document.simulation, method: 'time-stepping', duration: 2, outputRate: 60 } })
  return frames.map(frame => ({ time: frame.time, poses: document.bodies.map((_, i) => bodyAt(frame, i) as unknown as Pose) }))
}

describe.skipIf(chromium === null)('an animated glb in Babylon', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-film-'))
  let server: Server
  let frames: TrajectoryFrame[]

  beforeAll(async () => {
    frames = dominoes(scene)
    const film = filmGltf(scene, frames, 'dominoes', { text: false }).files[0]!.content as Uint8Array
    // Below the project, so that the player finds its packages.
    const source = join(process.cwd(), 'node_modules', '.cache', 'film-player.js')
    mkdirSync(join(source, '..'), { recursive: true })
    writeFileSync(source, PLAYER)
    await build({ configFile: false, logLevel: 'error', build: { outDir: folder, emptyOutDir: false, lib: { entry: source, formats: ['es'], fileName: () => 'player.js' } } })
    const files = new Map<string, [string, Uint8Array | string]>([
      ['/', ['text/html', '<!doctype html><body style="margin:0"><canvas width="900" height="560"></canvas><script type="module" src="/player.js"></script>']],
      ['/dominoes.glb', ['model/gltf-binary', film]],
    ])
    server = createServer((request, response) => {
      const path = request.url ?? '/'
      const [type, body] = files.get(path) ?? ['text/javascript', path.endsWith('.js') ? readFileSync(join(folder, basename(path))) : '']
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  }, 240_000)

  afterAll(async () => {
    server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has every body at ten instants where the run has it, to 1e-6', async () => {
    const page = await newPage({ viewport: { width: 900, height: 560 } })
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction(() => 'load' in window)
    await page.evaluate(() => (window as unknown as { load(url: string): Promise<void> }).load('/dominoes.glb'))
    let worst = 0
    for (let k = 0; k < INSTANTS; k++) {
      const { time, poses } = frames[Math.round(k * (frames.length - 1) / (INSTANTS - 1))]!
      const nodes = await page.evaluate(t => (window as unknown as { at(t: number): Record<string, number[]> }).at(t), time)
      scene.bodies.forEach(({ id }, i) => {
        const m = nodes[id]!
        const { position, orientation } = poses[i]!
        // Rows of the matrix are the node's axes in the player's world, y up.
        const [px, py, pz] = [m[12]!, -m[14]!, m[13]!]
        const x = rotate(orientation, [1, 0, 0])
        const z = rotate(orientation, [0, 0, 1])
        const seen = [px, py, pz, m[0]!, -m[2]!, m[1]!, m[4]!, -m[6]!, m[5]!]
        ;[...position, ...x, ...z].forEach((value, j) => { worst = Math.max(worst, Math.abs(value - seen[j]!)) })
      })
    }
    const picture = process.env.CAIRN_PICTURES
    if (picture !== undefined) await page.screenshot({ path: join(picture, 'film.png') })
    expect(worst).toBeLessThan(1e-6)
  }, 120_000)
})
