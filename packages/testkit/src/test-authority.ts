import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** A server's private key and certificate, PEM. */
export interface TestCertificate {
  readonly key: string
  readonly cert: string
}

/** A certificate authority that nobody trusts unless told to, and a certificate of its own for this machine. */
export interface TestAuthority {
  /** The authority's certificate, PEM. */
  readonly ca: string
  /** The certificate for `localhost` and 127.0.0.1. */
  readonly server: TestCertificate
}

const run = promisify(execFile)
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Makes an authority by `openssl`, anew for each run: no private key is kept anywhere. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  const openssl = (...parameters: string[]): Promise<unknown> => run('openssl', parameters, { cwd: folder })
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8')
  try {
    await openssl('req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test')
    await openssl('req', ...KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
    await writeFile(path.join(folder, 'names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
    await openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.pem')
    return { ca: await read('ca.pem'), server: { key: await read('server.key'), cert: await read('server.pem') } }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
