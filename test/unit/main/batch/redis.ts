/** A real Redis on a free loopback port, with append-only persistence in its own folder; null, with the reason, if it is not available. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'

export interface TestRedis {
  readonly address: string
  /** Uses TLS if the options contain certificates. */
  readonly tlsAddress: string
  /** Kills it with SIGKILL and restarts it with its saved data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(folder: string, ...more: string[]): Promise<TestRedis | null> {
  const [port, tlsPort] = [await freePort(), await freePort()]
  const tls = more.includes('--tls-cert-file') ? ['--tls-port', String(tlsPort)] : []
  const data = join(folder, `redis-${port}`)
  mkdirSync(data)
  const start = async (): Promise<ChildProcess | null> => {
    const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', data, '--appendonly', 'yes', '--appendfsync', 'always', '--save', '', ...tls, ...more], { stdio: 'ignore' })
    const missing = await new Promise<boolean>(done => {
      child.once('error', () => done(true))
      child.once('spawn', () => done(false))
    })
    if (missing) return null
    const probe = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 50, maxRetriesPerRequest: null })
    probe.on('error', () => undefined)
    await probe.ping().catch((error: Error) => {
      if (!error.message.includes('NOAUTH')) throw error
    })
    probe.disconnect()
    return child
  }
  let child = await start()
  if (!child) return null
  const end = (signal: NodeJS.Signals) => new Promise<void>(done => {
    child!.once('close', () => done())
    child!.kill(signal)
  })
  return {
    address: `redis://127.0.0.1:${port}/0`, tlsAddress: `rediss://127.0.0.1:${tlsPort}/0`,
    restart: async () => {
      await end('SIGKILL')
      child = await start()
    },
    stop: () => end('SIGTERM'),
  }
}

function freePort(): Promise<number> {
  return new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}
