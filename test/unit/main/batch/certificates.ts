/** A certificate authority for tests, and a server's certificate for loopback signed by it; null if openssl is not available. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TestCertificates {
  readonly authority: string
  readonly certificate: string
  readonly key: string
}

export function testCertificates(folder: string): TestCertificates | null {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  writeFileSync(at('extensions'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
  try {
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.crt', '-days', '2', '-subj', '/CN=Authority of a test')
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=127.0.0.1')
    openssl('x509', '-req', '-in', 'server.csr', '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-out', 'server.crt', '-days', '2', '-extfile', 'extensions')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return { authority: at('ca.crt'), certificate: at('server.crt'), key: at('server.key') }
}
