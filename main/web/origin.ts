/**
 * Whom the web host answers: this machine under a loopback name. Another name that leads here is a rebound one (DNS rebinding), and
 * another origin is some other site's page, which a browser would otherwise let connect.
 */
import type { IncomingHttpHeaders } from 'node:http'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const
/** A browser leaves this one out. */
const defaultPort = 80

/** Whether a request's Host is a loopback name with the port that we listen on. */
export function isOwnHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false
  return loopbackNames.some(name => host === `${name}:${port}` || (port === defaultPort && host === name))
}

/** Why a request to the engine is refused, or null. */
export function originFault({ host, origin }: Pick<IncomingHttpHeaders, 'host' | 'origin'>, port: number): string | null {
  if (!isOwnHost(host, port)) return `a connection for the host ${JSON.stringify(host ?? '')}`
  if (origin !== `http://${host}`) return `a connection from the origin ${JSON.stringify(origin ?? '')}`
  return null
}
