/**
 * The way to a Redis or Valkey server. Its address stands on the command line, its password never does: CAIRN_QUEUE_PASSWORD or the file that
 * CAIRN_QUEUE_PASSWORD_FILE names. `rediss://` is TLS; a certificate authority of one's own stands in the file that CAIRN_QUEUE_CA_FILE names.
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
  /** Without secrets, for people. */
  readonly address: string
  /** A connection that comes back by itself whenever the server does. */
  connect(): Redis
}

/** Reads the address and tries it once. @throws HostError where nothing is there, or it refuses */
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
      redis.on('error', () => undefined) // it tries again; whoever waits is told by what it waits for
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
