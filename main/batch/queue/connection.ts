/**
 * Connection to a Redis or Valkey server. The address is given on the command line, but never the password: CAIRN_QUEUE_PASSWORD or the file that
 * CAIRN_QUEUE_PASSWORD_FILE names. `rediss://` uses TLS; CAIRN_QUEUE_CA_FILE names the file of a private certificate authority.
 */
import { readFileSync } from 'node:fs'
import { Redis, type RedisOptions } from 'ioredis'
import { systemReason } from '../../protocol/problem-file'
import { sweepFault } from '../fault'
import { secret } from '../secrets'

/** ms */
const connectTimeout = 5000
const longestPause = 2000

export interface QueueServer {
  /** Without secrets, for messages. */
  readonly address: string
  /** A connection that reconnects automatically. */
  connect(): Redis
}

/** Parses the address and tests the connection. @throws HostError if there is no server, or it refuses */
export async function queueServer(address: string, environment: NodeJS.ProcessEnv = process.env): Promise<QueueServer> {
  const options = optionsOf(address, environment)
  const probe = new Redis({ ...options, lazyConnect: true, retryStrategy: () => null, enableOfflineQueue: false, maxRetriesPerRequest: 0 })
  let last: Error | null = null
  probe.on('error', (error: Error) => { last = error })
  try {
    await probe.connect()
    await probe.ping()
  } catch (error) {
    throw refusal(address, last ?? error as Error)
  } finally {
    probe.disconnect()
  }
  return {
    address,
    connect: () => {
      const redis = new Redis({ ...options, maxRetriesPerRequest: null, retryStrategy: times => Math.min(50 * times, longestPause) })
      redis.on('error', () => undefined) // it reconnects; callers get errors from their own commands
      return redis
    },
  }
}

function optionsOf(address: string, environment: NodeJS.ProcessEnv): RedisOptions {
  const allowed = 'redis://host[:port][/database], or rediss:// for TLS'
  let url: URL
  try {
    url = new URL(address)
  } catch {
    throw sweepFault(`--queue is "${address}".`, { value: address, allowed })
  }
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1]
  if ((url.protocol !== 'redis:' && url.protocol !== 'rediss:') || url.hostname === '' || database === undefined) throw sweepFault(`--queue is "${address}".`, { value: address, allowed })
  if (url.password !== '') {
    throw sweepFault('The password of a queue does not belong on the command line, where others can read it.', { allowed: 'CAIRN_QUEUE_PASSWORD, or CAIRN_QUEUE_PASSWORD_FILE with the name of a file' })
  }
  const password = secret('CAIRN_QUEUE_PASSWORD', environment)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 6379 : Number(url.port), db: Number(database), connectTimeout,
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }), ...(password === null ? {} : { password }),
    ...(url.protocol === 'rediss:' ? { tls: authority(environment) } : {}),
  }
}

function authority({ CAIRN_QUEUE_CA_FILE: file }: NodeJS.ProcessEnv): { ca?: string } {
  if (file === undefined) return {}
  try {
    return { ca: readFileSync(file, 'utf8') }
  } catch (error) {
    throw sweepFault(`CAIRN_QUEUE_CA_FILE, "${file}", cannot be read: ${systemReason(error)}.`, { value: file }, 'FileNotReadable')
  }
}

function refusal(address: string, error: Error) {
  const { code, message } = error as NodeJS.ErrnoException
  if (/WRONGPASS|NOAUTH|invalid password|NOPERM/i.test(message)) {
    return sweepFault(`The queue at ${address} refuses the password.`, { value: address, allowed: 'CAIRN_QUEUE_PASSWORD, or CAIRN_QUEUE_PASSWORD_FILE with the name of a file' }, 'QueueRefused')
  }
  return sweepFault(`There is no queue at ${address}: ${code ?? message}.`, { value: address, allowed: 'a Redis or Valkey server that can be reached from here' }, 'QueueUnreachable')
}
