import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LocalEngine } from '../../../../main/engine'
import { encodeBinary } from '../../../../main/protocol/binary'
import type { RunInfo } from '../../../../main/protocol/runs'
import { maxMessageBytes } from '../../../../main/protocol/wire'
import { closeCodes, helloTimeout } from '../../../../main/protocol/web-session'
import { createToken, isToken } from '../../../../main/web/token'
import { admitted, closed, connect, opened, setUp, socketTo, statusOf, type Setting } from './loopback'

let setting: Setting
beforeEach(async () => { setting = await setUp() })
afterEach(() => setting.close())

describe('the token', () => {
  it('is new each time, and is distinguished from any other text', () => {
    const tokens = Array.from({ length: 100 }, createToken)
    expect(new Set(tokens).size).toBe(100)
    const [one, other] = tokens as [string, string]
    expect(isToken(one, one)).toBe(true)
    expect(isToken(Buffer.from(one), one)).toBe(true)
    for (const wrong of ['', other, one.slice(1), `${one} `, `${one}\0`, one.toLowerCase()]) expect(isToken(wrong, one)).toBe(false)
  })
})

describe('a connection to the engine', () => {
  it.each(['localhost', '127.0.0.1', '[::1]'])('comes from our own page at %s', async name => {
    expect(await statusOf(socketTo(setting.host, { name: `${name}:${setting.host.port}` }))).toBe(101)
  })

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.2'])('is refused under the rebound host name %s', async name => {
    expect(await statusOf(socketTo(setting.host, { name: `${name}:${setting.host.port}` }))).toBe(403)
    expect(setting.refusals).toStrictEqual([`a connection for the host "${name}:${setting.host.port}"`])
  })

  it('is refused at another port than ours', async () => {
    expect(await statusOf(socketTo(setting.host, { name: `127.0.0.1:${setting.host.port + 1}` }))).toBe(403)
    expect(await statusOf(socketTo(setting.host, { name: '127.0.0.1' }))).toBe(403)
  })

  it('is refused from any other origin', async () => {
    const { port } = setting.host
    const others = [null, 'null', '', 'https://evil.example', `https://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.1:${port}/`, 'http://127.0.0.1']
    for (const origin of others) expect(await statusOf(socketTo(setting.host, { origin })), String(origin)).toBe(403)
    expect(setting.refusals).toHaveLength(others.length)
  })

  it('is refused at any other path', async () => {
    for (const path of ['/', '/engine/', '/engine?x', '/other']) expect(await statusOf(socketTo(setting.host, { path })), path).toBe(404)
  })

  it('is closed when its token is wrong', async () => {
    const { token } = setting.host
    for (const wrong of ['', 'x', token.slice(1), `${token}x`, Buffer.from(token), token.split('').reverse().join('')]) {
      const socket = socketTo(setting.host)
      await opened(socket)
      socket.send(wrong)
      expect(await closed(socket)).toBe(closeCodes.unauthorized)
    }
  })

  it('is closed when no token comes in time, and not before', async () => {
    const socket = socketTo(setting.host)
    await opened(socket)
    const start = performance.now()
    expect(await closed(socket)).toBe(closeCodes.unauthorized)
    expect(performance.now() - start).toBeGreaterThan(helloTimeout - 100)
    expect(setting.refusals).toStrictEqual(['a connection with no token in time'])
  })

  it('gets no answer to calls sent before or after a wrong token', async () => {
    const call = encodeBinary({ t: 'q', i: '1', m: 'version', a: [] })
    for (const messages of [[call, setting.host.token], ['wrong', setting.host.token, call]]) {
      const socket = socketTo(setting.host)
      await opened(socket)
      const heard: unknown[] = []
      socket.on('message', data => heard.push(data))
      for (const message of messages) socket.send(message)
      expect(await closed(socket)).toBe(closeCodes.unauthorized)
      expect(heard).toStrictEqual([])
    }
    expect(setting.asked()).toBe(0)
  })

  it('is closed when it sends too much before its token', async () => {
    const socket = socketTo(setting.host)
    await opened(socket)
    socket.send('x'.repeat(1024 * 1024))
    const code = await closed(socket)
    expect([closeCodes.unauthorized, 1006]).toContain(code) // pending messages may hide the code
    expect(setting.refusals).toStrictEqual(['a connection with much before any token'])
  })

  it('is refused beyond the number that one person needs', async () => {
    const sockets = await Promise.all(Array.from({ length: 32 }, () => admitted(setting.host)))
    expect(await statusOf(socketTo(setting.host))).toBe(503)
    sockets[0]!.close()
    await closed(sockets[0]!)
    await expect.poll(() => statusOf(socketTo(setting.host))).toBe(101)
    for (const socket of sockets) socket.terminate()
  })

  it('is refused where 500 are tried at once; a page that was there first goes on', async () => {
    const page = await connect(setting.host)
    const sockets = Array.from({ length: 500 }, () => socketTo(setting.host))
    const states = await Promise.all(sockets.map(socket => new Promise<number>(done => {
      socket.once('open', () => done(101)).once('unexpected-response', (_, response) => done(response.statusCode!))
    })))
    expect(states.filter(state => state === 101)).toHaveLength(31)
    expect(states.filter(state => state === 503)).toHaveLength(469)
    expect(await page.engine.version()).toBe(await setting.engine.version())
    for (const socket of sockets) socket.terminate()
    page.close()
  })
})

describe('a page', () => {
  it('calls the engine, beside other pages', async () => {
    const pages = await Promise.all([connect(setting.host), connect(setting.host), connect(setting.host)])
    const version = await setting.engine.version()
    expect(await Promise.all(pages.map(page => page.engine.version()))).toStrictEqual([version, version, version])
    expect(setting.asked()).toBe(4)
    expect(await pages[0]!.web.initialDocument()).toBeNull()
    for (const page of pages) page.close()
  })

  it('is notified of runs, and a page that has closed no longer is', async () => {
    const listeners = new Set<unknown>()
    const listen = setting.engine.listen.bind(setting.engine)
    setting.engine.listen = (listener: Parameters<LocalEngine['listen']>[0]) => {
      listeners.add(listener)
      const stop = listen(listener)
      return () => {
        listeners.delete(listener)
        return stop()
      }
    }
    const heard: RunInfo[] = []
    const page = await connect(setting.host, { runChanged: run => heard.push(run) })
    expect(listeners.size).toBe(1)
    for (const listener of listeners) (listener as { runChanged(run: unknown): void }).runChanged({ id: 'r' })
    await expect.poll(() => heard).toStrictEqual([{ id: 'r' }])
    page.close()
    await expect.poll(() => listeners.size).toBe(0)
  })

  it('gets an error for a request that does not exist', async () => {
    const socket = await admitted(setting.host)
    for (const method of ['toString', 'constructor', '__proto__', 'hasOwnProperty', 'dispose', 'handleFor', 'pathOf', 'listen', 'nothing', '$close']) {
      socket.send(encodeBinary({ t: 'q', i: '1', m: method, a: ['/etc/passwd'] }))
      const [answer] = await once(socket, 'message') as [ArrayBuffer]
      expect(Buffer.from(answer).toString('latin1'), method).toMatch(/not found/)
    }
    socket.terminate()
  })

  it('gets an error if its arguments have the wrong shape', async () => {
    const { engine, web, close } = await connect(setting.host)
    const wrong: [object, string, unknown[]][] = [
      [engine, 'check', [5]], [engine, 'check', []], [engine, 'check', ['{}', 'ticket', 'more']], [engine, 'openHandle', [{ path: '/etc/passwd' }]],
      [engine, 'read', ['r', 'frames', -1, 2]], [engine, 'read', ['r', 'frames', 0.5, 2]], [engine, 'read', ['r', 'other', 0, 2]],
      [engine, 'save', ['h', 'text', { overwrite: 1 }]], [engine, 'save', ['h', 'text']], [engine, 'openBytes', ['x', 'text']],
      [engine, 'series', ['r', [{ what: 'body' }]]], [web, 'listFolder', ['']], [web, 'fileIn', ['f', 'x'.repeat(256)]], [web, 'initialDocument', [1]],
    ]
    for (const [target, method, args] of wrong) {
      const call = (target as Record<string, (...args: unknown[]) => Promise<unknown>>)[method]!
      await expect(call(...args), `${method}(${JSON.stringify(args)})`).rejects.toMatchObject({ name: 'BadRequest' })
    }
    expect(await engine.version()).toBe(await setting.engine.version())
    close()
  })

  const call = encodeBinary({ t: 'q', i: '1', m: 'version', a: [] })
  it.each([
    ['a text', 'version'],
    ['an empty message', new Uint8Array(0)],
    ['an unknown tag', new Uint8Array([99])],
    ['a count beyond the message', new Uint8Array([7, 255, 255, 255, 255])],
    ['bytes left over', new Uint8Array([...call, 0])],
    ['a message cut short', call.slice(0, -1)],
    ['a key that reaches a prototype', new Uint8Array([8, 1, 0, 0, 0, 9, 0, 0, 0, ...Buffer.from('__proto__'), 0])],
    ['no call', encodeBinary({ hello: 1 })],
    ['a method that is no text', encodeBinary({ t: 'q', i: '1', m: 7, a: [] })],
    ['arguments that are no list', encodeBinary({ t: 'q', i: '1', m: 'version', a: {} })],
  ])('is closed for %s, and further messages are ignored', async (_what, message) => {
    const other = await connect(setting.host)
    const socket = await admitted(setting.host)
    const heard: unknown[] = []
    socket.on('message', data => heard.push(data))
    socket.send(message)
    socket.send(call)
    expect(await closed(socket)).toBe(closeCodes.badMessage)
    expect(heard).toStrictEqual([])
    expect(setting.asked()).toBe(0)
    expect(setting.refusals).toHaveLength(1)
    expect(await other.engine.runs(), 'other pages stay').toStrictEqual([])
    other.close()
  })

  /** The header of a frame whose announced bytes never arrive. */
  async function announce(bytes: number) {
    const socket = await admitted(setting.host)
    const head = Buffer.alloc(14)
    head.writeUInt16BE(0x82ff, 0)
    head.writeBigUInt64BE(BigInt(bytes), 2)
    ;(socket as unknown as { _socket: NodeJS.WritableStream })._socket.write(head)
    return socket
  }

  it('is closed for a message beyond the limit, before it has been read', async () => {
    expect(await closed(await announce(maxMessageBytes + 1))).toBe(1009)
    expect(setting.refusals).toStrictEqual(['a message: Max payload size exceeded'])
  })

  it('may send messages up to the limit', async () => {
    const socket = await announce(maxMessageBytes)
    const code = await Promise.race([closed(socket), new Promise(done => { setTimeout(done, 300, 'open') })])
    expect(code).toBe('open')
    socket.terminate()
  })

  it('is notified that the host ends', async () => {
    const socket = await admitted(setting.host)
    const code = closed(socket)
    await setting.host.close()
    expect(await code).toBe(closeCodes.goingAway)
  })

  it('that does not answer the closing handshake delays the host only briefly', async () => {
    const socket = await admitted(setting.host)
    socket.pause()
    const start = performance.now()
    await setting.host.close()
    expect(performance.now() - start).toBeLessThan(5000)
    socket.terminate()
  })
  it('that does not read what it is sent is disconnected, and others are not', { tags: 'long' }, async () => {
    const other = await connect(setting.host)
    const told: { runChanged(run: unknown): void }[] = []
    const listen = setting.engine.listen.bind(setting.engine)
    setting.engine.listen = (listener: Parameters<LocalEngine['listen']>[0]) => {
      told.push(listener as typeof told[number])
      return listen(listener)
    }
    const socket = await admitted(setting.host)
    socket.pause()
    const run = { id: 'r', data: new Uint8Array(32 * 1024 * 1024) }
    for (let i = 0; i < 16; i++) told[0]!.runChanged(run)
    expect(setting.refusals).toStrictEqual([`a connection that leaves more than ${maxMessageBytes} bytes unread`])
    expect(await other.engine.version()).toBe(await setting.engine.version())
    socket.terminate()
    other.close()
  })
})
