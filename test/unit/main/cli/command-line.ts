/** The command line as shipped, in its own folder with scenes of a bouncing ball. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { built, scratch } from '../built'

export interface Answer { code: number | null; out: string; err: string }

export function json(answer: Answer): Record<string, unknown> {
  expect(answer.out.trim().split('\n')).toHaveLength(1)
  return JSON.parse(answer.out) as Record<string, unknown>
}

export interface Fault { name: string; message: string; path: string; allowed: string | null; ids: string[]; line?: number; column?: number; value: unknown }
export function errors(answer: Answer): Fault[] {
  const { status, errors } = json(answer) as { status: string; errors: Fault[] }
  expect(status).toBe('refused')
  return errors
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests write wrong documents on purpose
export type Scene = Record<string, any>

export function withScript(source: string) {
  return (scene: Scene) => {
    scene.scripts = [{ id: 'push.ts', source }]
    scene.forces = [{ id: 'push', type: 'script', script: 'push.ts' }]
  }
}

/** For the tests of one file: a folder that is removed after them, scenes in it, and the command line run in it. */
export function commandLine() {
  const folder = scratch()
  let cli = ''
  beforeAll(() => { cli = built().cli })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function cairn(...args: string[]): Answer {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder, maxBuffer: 1 << 28, timeout: 50_000, killSignal: 'SIGKILL' })
    return { code: status, out: stdout, err: stderr }
  }

  /** A ball that bounces on the ground; `change` edits the document before it is written. */
  function sceneFile(name: string, change: (scene: Scene) => void = () => undefined): string {
    const scene: Scene = {
      format: 'cairn-scene', version: 1, name: 'Ball',
      materials: [{ id: 'rubber', density: 1000, friction: { static: 0.5, dynamic: 0.4 }, restitution: 0.8 }],
      bodies: [
        { id: 'ground', type: 'fixed', position: [0, 0, 0], shapes: [{ type: 'halfSpace', normal: [0, 0, 1], offset: 0, material: 'rubber' }] },
        { id: 'ball', type: 'dynamic', position: [0, 0, 1.1], shapes: [{ type: 'sphere', radius: 0.1, material: 'rubber' }] },
      ],
      joints: [], forces: [], scripts: [],
      simulation: { duration: 1, outputRate: 100 },
    }
    change(scene)
    const path = join(folder, `${name}.cairn.json`)
    writeFileSync(path, JSON.stringify(scene, null, 2))
    return path
  }

  return { folder, cairn, sceneFile, path: () => cli }
}
