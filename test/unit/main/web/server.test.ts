import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentPolicy, pageHeaders } from '../../../../main/protocol/pages'
import { isOwnHost } from '../../../../main/web/origin'
import { startWebHost } from '../../../../main/web/server'
import { ask, sendRaw, setUp, type Setting } from './loopback'

describe('the pages of the web host', () => {
  let setting: Setting
  beforeAll(async () => {
    setting = await setUp()
    writeFileSync(join(setting.pages, '.hidden'), 'hidden')
    writeFileSync(join(setting.folder, 'beside.txt'), 'beside')
    symlinkSync(join(setting.folder, 'beside.txt'), join(setting.pages, 'link.txt'))
    symlinkSync(setting.folder, join(setting.pages, 'out'))
    mkdirSync(join(setting.pages, 'empty'))
    writeFileSync(join(setting.pages, 'nothing.txt'), '')
  })
  afterAll(() => setting.close())

  it('are the built files, with their types', async () => {
    const page = await ask(setting.host, '/')
    expect(page).toMatchObject({ status: 200, body: '<!doctype html><title>Cairn</title>' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['cache-control']).toBe('no-cache')
    const script = await ask(setting.host, '/assets/main-abc123.js?v=1')
    expect(script).toMatchObject({ status: 200, body: 'export {}' })
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(script.headers['cache-control']).toMatch(/immutable/)
    expect(await ask(setting.host, '/nothing.txt')).toMatchObject({ status: 200, body: '' })
  })

  it('answer HEAD with the headers alone', async () => {
    const head = await ask(setting.host, '/', { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe('35')
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])('answer no %s', async method => {
    const answer = await ask(setting.host, '/', { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe('GET, HEAD')
  })

  it.each([
    '/../beside.txt', '/assets/../../beside.txt', '/%2e%2e/beside.txt', '/%2E%2E%2Fbeside.txt', '/..%2fbeside.txt', '/..%5cbeside.txt',
    '/assets/%2e%2e/%2e%2e/beside.txt', '/..\\beside.txt', '//beside.txt', '/./index.html', '/%00', '/index.html%00.js', '/%', '/%c0%ae%c0%ae/beside.txt',
    '/.hidden', '/%2ehidden', '/link.txt', '/out/beside.txt', '/out/home', '/assets', '/assets/', '/empty/', '/index.html/', '/index.html/x',
    '/missing.js', '*', 'http://127.0.0.1/index.html', `/${'a'.repeat(300)}`,
  ])('do not lead to %s', async path => {
    const { status, body } = await ask(setting.host, path)
    expect({ status, body }).toStrictEqual({ status: 404, body: 'Not Found\n' })
  })

  it('carry the content policy in every response, also in refusals', async () => {
    const { host } = setting
    const answers = [
      await ask(host, '/'), await ask(host, '/missing'), await ask(host, '/', { method: 'POST' }), await ask(host, '/', { headers: { Host: 'evil.example' } }),
    ]
    expect(answers.map(answer => answer.status)).toStrictEqual([200, 404, 405, 403])
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toBe(contentPolicy)
      for (const [name, value] of Object.entries(pageHeaders)) expect(headers[name.toLowerCase()]).toBe(value)
    }
    expect(await sendRaw(host, 'rubbish\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*Content-Security-Policy: default-src 'none'/)
    expect(await sendRaw(host, 'GET /other HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'))
      .toMatch(/^HTTP\/1\.1 403 [^]*Content-Security-Policy: default-src 'none'/)
  })

  it('are not preceded by an answer on a connection that a browser opened ahead and left idle', { timeout: 30_000 }, async () => {
    const socket = connectSocket(setting.host.port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', part => { answer += part })
    await new Promise(done => socket.on('close', done))
    expect(answer).toBe('')
  })

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '127.0.0.1', 'localhost', '192.168.0.7', '0.0.0.0', '127.0.0.2', ' '])(
    'are not given to the host name "%s"', async name => {
      const { port } = setting.host
      expect((await ask(setting.host, '/', { headers: { Host: name } })).status).toBe(403)
      expect((await ask(setting.host, '/', { headers: { Host: `${name}:${port + 1}` } })).status).toBe(403)
    },
  )

  it.each(['localhost', '127.0.0.1', '[::1]'])('are given to the host name %s with the right port', async name => {
    expect((await ask(setting.host, '/', { headers: { Host: `${name}:${setting.host.port}` } })).status).toBe(200)
  })

  it('are given to a host name without a port only on port 80, as browsers ask', () => {
    expect(isOwnHost('localhost', 80)).toBe(true)
    expect(isOwnHost('localhost', 8080)).toBe(false)
    expect(isOwnHost(undefined, 80)).toBe(false)
  })

  it('can be requested only on the loopback interface', async () => {
    const refused = (address: string) => new Promise<boolean>(done => {
      const socket = connectSocket({ host: address, port: setting.host.port, timeout: 2000 })
      socket.once('connect', () => done(false)).once('error', () => done(true)).once('timeout', () => done(true))
      socket.on('close', () => undefined).once('connect', () => socket.destroy()).once('timeout', () => socket.destroy())
    })
    expect(await refused('127.0.0.1')).toBe(false)
    const others = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? []).filter(address => !address.internal && address.family === 'IPv4')
    for (const { address } of [...others, { address: '127.0.0.2' }]) expect(await refused(address), address).toBe(true)
  })

  it('end with the host, including open connections', async () => {
    const other = await setUp()
    const idle = connectSocket(other.host.port, '127.0.0.1')
    await new Promise(done => idle.once('connect', done))
    const ended = new Promise(done => idle.once('close', done))
    await other.close()
    await ended
    await expect(ask(other.host, '/')).rejects.toThrow(/ECONNREFUSED/)
  })

  it('are not served on a port that is in use', async () => {
    const { engine, root, pages, host } = setting
    await expect(startWebHost({ engine, root, pages, port: host.port, initialDocument: null })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('have an address whose token no request contains', () => {
    expect(setting.host.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  })
})
