/**
 * Requests that the web host accepts: from this machine, under a loopback name. Another host name is a DNS rebinding attack, and
 * another origin is a foreign page, which a browser would otherwise let connect.
 */
import type { IncomingHttpHeaders } from 'node:http'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const
/** Browsers omit this port. */
const defaultPort = 80

/** Whether a request's Host header is a loopback name with our port. */
export function isOwnHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false
  return loopbackNames.some(name => host === `${name}:${port}` || (port === defaultPort && host === name))
}

/** Why a request to the engine is refused; null if it is allowed. */
export function originFault({ host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>, port: number): string | null {
  if (!isOwnHost(host, port)) return `a connection for the host ${JSON.stringify(host ?? '')}`
  if (origin !== `http://${host}`) return `a connection from the origin ${JSON.stringify(origin ?? '')}`
  return null
}
