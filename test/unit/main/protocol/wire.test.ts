import { readFileSync } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { HostError } from '../../../../main/protocol/host'
import type { RunInfo } from '../../../../main/protocol/runs'
import type { EventPort } from '../../../../main/protocol/transport'
import { connectEngine, markTransferable, portTransport, serveEngine, socketTransport, type Served, type Transport } from '../../../../main/protocol/wire'

const problem = { name: 'UnknownKey', severity: 'error', message: 'no such key', path: 'bodies[0].colour', ids: ['block'] } as const

/** Implements only the calls of the tests; all others are missing, as in an older engine. */
const answering = {
  version: async () => '9.9.9',
  leaveDrafts: () => undefined,
  check: async (text: string) => (text === 'bad' ? [problem] : []),
  hash: async () => { throw new HostError('Refused', 'it overlaps', [problem]) },
  read: async (_run: string, ranges: readonly { readonly from: number; readonly to: number }[]) =>
    ranges.map(({ from, to }) => Array.from({ length: to - from }, (_, i) => markTransferable(new Uint8Array([from + i, 255])))),
  series: async () => [{ time: new Float64Array([0, 0.5]), values: new Float64Array([NaN, -0]), unit: 'm', label: 'x' }],
} as unknown as Served

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

function overPorts(): [Transport, Transport] {
  const { port1, port2 } = new MessageChannel()
  closers.push(() => port1.close())
  return [portTransport(port1 as unknown as EventPort), portTransport(port2 as unknown as EventPort)]
}

async function overSockets(): Promise<[Transport, Transport, WebSocket]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise(done => server.once('listening', done))
  const { port } = server.address() as { port: number }
  const accepted = new Promise<WebSocket>(done => server.once('connection', done))
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  const socket = await accepted
  await new Promise(done => client.once('open', done))
  client.binaryType = socket.binaryType = 'arraybuffer'
  closers.push(() => {
    client.terminate()
    server.close()
  })
  return [socketTransport(socket), socketTransport(client), client]
}

const quiet = {
  runChanged: () => undefined, liveFrame: () => undefined, sweepChanged: () => undefined, decomposing: () => undefined,
  documentChanged: () => undefined, prefabsChanged: () => undefined, recordingAhead: () => undefined,
}
const noFault = (error: Error) => { throw error }

describe.each([['MessagePort', overPorts], ['WebSocket', overSockets]] as const)('the engine over a %s', (_name, open) => {
  it('answers calls, binary data included', async () => {
    const [near, far] = await open()
    serveEngine(answering, near, noFault)
    const { engine } = connectEngine(far, quiet, noFault)
    expect(await engine.version()).toBe('9.9.9')
    expect(await engine.check('bad', 'ticket')).toStrictEqual([problem])
    const ranges = await engine.read('r', [{ channel: 'frames', from: 3, to: 5 }, { channel: 'contacts', from: 7, to: 8 }])
    expect(ranges.map(range => range.map(bytes => [...bytes]))).toStrictEqual([[[3, 255], [4, 255]], [[7, 255]]])
    const [series] = await engine.series('r', [])
    expect(series!.time).toStrictEqual(new Float64Array([0, 0.5]))
    expect([...series!.values].map(value => Object.is(value, -0))).toStrictEqual([false, true])
  })

  it('rethrows the engine\'s errors, with their name and problems', async () => {
    const [near, far] = await open()
    serveEngine(answering, near, noFault)
    const { engine } = connectEngine(far, quiet, noFault)
    const error = await engine.hash('').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(HostError)
    expect(error).toMatchObject({ name: 'Refused', message: 'it overlaps', problems: [problem] })
  })

  it('hides the paths of files from the page', async () => {
    const [near, far] = await open()
    const file = '/home/somebody/secret/scene.cairn.json'
    const missing = new HostError('FileNotFound', '"scene.cairn.json" cannot be read: it does not exist.', [{ ...problem, file }])
    const failing = { hash: async () => { throw missing }, version: async () => readFileSync('/nowhere/at/all', 'utf8'), leaveDrafts: () => undefined } as unknown as Served
    serveEngine(failing, near, noFault)
    const { engine } = connectEngine(far, quiet, noFault)
    const refused = await engine.hash('').catch((error: unknown) => error as HostError)
    expect(JSON.stringify(refused)).not.toContain('somebody')
    expect((refused as HostError).problems).toStrictEqual([problem])
    await expect(engine.version()).rejects.toThrow('it does not exist')
    await expect(engine.version()).rejects.not.toThrow('nowhere')
  })

  it('refuses arguments of the wrong shape, and unknown requests', async () => {
    const [near, far] = await open()
    serveEngine(answering, near, noFault)
    const { engine } = connectEngine(far, quiet, noFault)
    await expect(engine.check(7 as unknown as string, 'ticket')).rejects.toMatchObject({ name: 'BadRequest' })
    await expect(engine.read('r', [{ channel: 'frames', from: -1, to: 5 }])).rejects.toMatchObject({ name: 'BadRequest' })
    await expect(engine.read('r', [{ channel: 'secrets' as 'frames', from: 0, to: 5 }])).rejects.toMatchObject({ name: 'BadRequest' })
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'examples']) {
      await expect((engine as unknown as Record<string, () => Promise<unknown>>)[name]!()).rejects.toThrow('not found')
    }
  })

  it('passes notices to the page', async () => {
    const [near, far] = await open()
    const { listener } = serveEngine(answering, near, noFault)
    const told = new Promise(done => connectEngine(far, { ...quiet, runChanged: done }, noFault))
    listener.runChanged({ id: 'run-1', warnings: [] } as unknown as RunInfo)
    expect(await told).toMatchObject({ id: 'run-1' })
  })

  it('rejects pending calls when the other side closes', async () => {
    const [near, far] = await open()
    const serving = serveEngine({ ...answering, version: () => new Promise(() => undefined) } as Served, near, noFault)
    const { engine } = connectEngine(far, quiet, noFault)
    const waiting = engine.version()
    setTimeout(() => serving.close(), 20)
    await expect(waiting).rejects.toMatchObject({ name: 'ConnectionLost' })
  })
})

describe('messages that no page of Cairn sends', () => {
  it('are reported and ignored', async () => {
    const [near, , client] = await overSockets()
    const faults: string[] = []
    const reported = (count: number) => new Promise<void>(done => {
      const poll = setInterval(() => {
        if (faults.length < count) return
        clearInterval(poll)
        done()
      }, 5)
    })
    serveEngine(answering, near, error => faults.push(error.name))
    client.send('text')
    client.send(new Uint8Array([77, 1, 2, 3]))
    client.send(new Uint8Array([0]))
    await reported(3)
    expect(faults).toStrictEqual(['Error', 'WireFormatError', 'BadMessage'])
  })
})
