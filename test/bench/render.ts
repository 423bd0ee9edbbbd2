/**
 * Cost of a picture of a film, 1920 × 1080 by software rendering, with 100 bodies in contact and arrows at all contacts: elapsed time, and processor
 * time of the browser's processes, which does not depend on other load; also without soft contact shadows. `--frames n`.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../../bin/build.js'

const cli = fileURLToPath(new URL('../../bin/cairn.js', import.meta.url))

export default async function bench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { frames: { type: 'string', default: '60' } } })
  build()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-render-'))
  try {
    const [scene, run] = [join(folder, 'hundred.cairn.json'), join(folder, 'hundred.mcap')]
    const duration = Number(values.frames) / 60
    writeFileSync(scene, JSON.stringify(hundredBoxes(duration)))
    await cairn(['simulate', scene, '-o', run])
    for (const overlays of ['grid,points,arrows,edges,shadows', 'grid,points,arrows,edges']) {
      const { out, cpu } = await cairn(['render', run, '--video', '--rate', '60', '--overlays', overlays, '-o', join(folder, 'film.webm'), '--json'])
      const { frames, drawing, encoding, codec } = JSON.parse(out) as { frames: number; drawing: number; encoding: number; codec: string }
      console.log(`  ${overlays}`)
      console.log(`  ${frames} pictures, ${codec}: ${(1000 * frames / (drawing + encoding)).toFixed(1)} a second on the clock; drawing ${(drawing / frames).toFixed(0)} ms, waiting for the encoder ${(encoding / frames).toFixed(0)} ms`)
      console.log(`  processor time a picture, browser's start included: ${Object.entries(cpu).map(([type, ms]) => `${type} ${(ms / frames).toFixed(0)} ms`).join(', ')}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Boxes that slide on a plane, side by side. */
function hundredBoxes(duration: number): object {
  const boxes = Array.from({ length: 100 }, (_, k) => ({
    id: `box${k}`, position: [0.8 * (k % 10) - 3.6, 0.8 * Math.floor(k / 10) - 3.6, 0.25], linearVelocity: [0.5, 0, 0], shapes: [{ type: 'box', size: [0.5, 0.5, 0.5], material: 'wood' }],
  }))
  return {
    format: 'cairn-scene', version: 1, name: 'Hundred boxes', materials: [{ id: 'wood', density: 500, friction: { static: 0.3, dynamic: 0.3 } }],
    bodies: [{ id: 'ground', type: 'fixed', shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'wood' }] }, ...boxes],
    simulation: { duration, outputRate: 60, method: 'time-stepping' },
  }
}

function cairn(args: readonly string[]): Promise<{ out: string; cpu: Readonly<Record<string, number>> }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    let out = ''
    child.stdout.on('data', data => { out += String(data) })
    let cpu: Record<string, number> = {}
    const look = setInterval(() => { cpu = { ...cpu, ...processorTime(child.pid!) } }, 500)
    child.once('close', code => {
      clearInterval(look)
      if (code === 0) done({ out, cpu })
      else fail(new Error(`cairn ${args[0]} ended with ${code}.`))
    })
  })
}

/** ms by kind of process, for browser processes among the descendants of a process. Linux only. */
function processorTime(root: number): Record<string, number> {
  const parents = new Map<number, number>()
  const found: { pid: number; type: string; ms: number }[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')
      parents.set(Number(name), Number(fields[1]))
      const type = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${name}/cmdline`, 'utf8'))?.[1]
      if (type === 'gpu-process' || type === 'renderer') found.push({ pid: Number(name), type, ms: 10 * (Number(fields[11]) + Number(fields[12])) })
    } catch {
      // The process has just ended.
    }
  }
  const sums: Record<string, number> = {}
  for (const { pid, type, ms } of found) {
    let ancestor: number | undefined = pid
    while (ancestor !== undefined && ancestor > 1 && ancestor !== root) ancestor = parents.get(ancestor)
    if (ancestor === root) sums[type] = (sums[type] ?? 0) + ms
  }
  return sums
}
