import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBirpc, type BirpcReturn } from 'birpc'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type LocalEngine } from '../../../../main/engine'
import type { EngineCalls, ToEngine } from '../../../../main/shell/engine-calls'
import { serveShell, type ShellLine } from '../../../../main/shell/engine-service'
import type { MainPort } from '../../../../main/protocol/transport'
import { connectEngine, portTransport, type Connection } from '../../../../main/protocol/wire'

type FromShell = Parameters<ShellLine['on']>[1]

const scene = JSON.stringify({ format: 'cairn-scene', version: 1, bodies: [] })

describe("the engine's process", () => {
  let folder = ''
  let engine: LocalEngine
  let shell: BirpcReturn<EngineCalls, object>
  let send: (message: ToEngine, ports?: MessagePort[]) => void
  const ports: MessagePort[] = []
  let stopped = false

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-engine-service-'))
    engine = createEngine({ home: join(folder, 'home'), examples: join(folder, 'examples') })
    let heard: FromShell = () => undefined
    let answered: (answer: unknown) => void = () => undefined
    send = (message, handed = []) => heard({ data: structuredClone(message), ports: handed as unknown as MainPort[] })
    serveShell({
      postMessage: answer => answered(structuredClone(answer)),
      on: (_type, listener) => { heard = listener },
    }, engine, () => { stopped = true })
    shell = createBirpc<EngineCalls, object>({}, { post: call => send({ kind: 'call', call }), on: listener => { answered = listener } })
  })

  afterEach(async () => {
    for (const port of ports.splice(0)) port.close()
    await engine.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  function openWindow(): Connection & { heard: string[]; faults: Error[]; port: MessagePort } {
    const channel = new MessageChannel()
    ports.push(channel.port1, channel.port2)
    send({ kind: 'window' }, [channel.port1])
    const heard: string[] = []
    const faults: Error[] = []
    const quiet = { runChanged: () => undefined, liveFrame: () => undefined, sweepChanged: () => undefined, decomposing: () => undefined }
    const listener = { ...quiet, documentChanged: (handle: string) => heard.push(handle), prefabsChanged: () => undefined, recordingAhead: () => undefined }
    const connection = connectEngine(portTransport(channel.port2), listener, error => faults.push(error))
    return { ...connection, heard, faults, port: channel.port2 }
  }

  it('gives the shell handles for paths, which windows open without seeing the path', async () => {
    const path = join(folder, 'a.cairn.json')
    writeFileSync(path, scene)
    const handle = await shell.handleFor(path)
    expect(handle).not.toContain(folder)
    const opened = await openWindow().engine.openHandle(handle)
    expect(opened).toMatchObject({ handle, name: 'a.cairn.json', text: scene, savable: true })
    expect(JSON.stringify(opened)).not.toContain(folder)
  })

  it('is told when the application quits', () => {
    send({ kind: 'stop' })
    expect(stopped).toBe(true)
  })

  it('serves several windows', async () => {
    const versions = await Promise.all([openWindow(), openWindow()].map(window => window.engine.version()))
    expect(new Set(versions).size).toBe(1)
  })

  it('writes what the shell asks it to save, or reports why it cannot', async () => {
    await shell.write(join(folder, 'a.csv'), new Uint8Array([49, 10]))
    expect(readFileSync(join(folder, 'a.csv'), 'utf8')).toBe('1\n')
    await expect(shell.write(join(folder, 'a.csv', 'b.csv'), new Uint8Array(1))).rejects.toThrow('"b.csv" cannot be written: its folder is a file.')
    expect(existsSync(join(folder, 'b.csv'))).toBe(false)
  })

  it('gives windows no way to name a path', async () => {
    const window = openWindow()
    const call = Reflect.get(window.engine, 'handleFor') as (path: string) => Promise<unknown>
    await expect(call('/etc/passwd')).rejects.toThrow(/handleFor/)
    expect(existsSync(join(folder, 'home'))).toBe(true)
  })
})
