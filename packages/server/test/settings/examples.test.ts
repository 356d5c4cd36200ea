import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readCommandLine, resolveSettings } from '../../src/index.ts'
import { FLAGS } from '../../src/settings/flags.ts'

const page = readFileSync(new URL('../../../../docs/server.md', import.meta.url), 'utf8')

/** The first block of a language. */
function block(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1]
  if (text === undefined) throw new Error(`docs/server.md has no block of ${language}.`)
  return text
}

const variables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/\b(PIXPRESS_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))

/** Variables that are no flags: what only the environment may hold, and what clients read. */
const NO_FLAGS = ['PIXPRESS_S3_ACCESS_KEY_ID', 'PIXPRESS_S3_SECRET_ACCESS_KEY', 'PIXPRESS_KEY']

describe('the examples of docs/server.md', () => {
  it('name variables that there are', () => {
    const known = new Set([...NO_FLAGS, ...Object.values(FLAGS).map(({ variable }) => variable)])
    const named = new Set([...page.matchAll(/\bPIXPRESS_[A-Z\d_]+\b/g)].map(([name]) => name))
    expect([...named].filter((name) => !known.has(name))).toEqual([])
    expect(Object.values(FLAGS).filter(({ variable }) => !named.has(variable))).toEqual([])
  })

  it('systemd: starts with its settings, and waits for as long as the server may take to end', () => {
    const unit = block('ini')
    const { PIXPRESS_TLS_CERT, PIXPRESS_TLS_KEY, ...env } = variables(unit)
    expect([PIXPRESS_TLS_CERT, PIXPRESS_TLS_KEY]).toEqual(['/etc/pixpress/server.pem', '/etc/pixpress/server.key'])
    const args = /^ExecStart=\/usr\/bin\/env pixpress serve (.*)$/m.exec(unit)![1]!.split(' ')
    const { given } = readCommandLine(args, { ...env, PIXPRESS_PUBLIC_URL: 'https://images.example.com' })
    const settings = resolveSettings(given)
    expect(settings).toMatchObject({ host: '0.0.0.0', port: 8443, data: '/var/lib/pixpress' })
    const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1000
    expect(stop).toBeGreaterThan(settings.drainDelay + settings.drainTimeout)
  })

  it('container: starts with its settings and a public URL, and not without one', () => {
    const env = variables(block('dockerfile'))
    const start = (more: Record<string, string>) => resolveSettings(readCommandLine([], { ...env, ...more }).given)
    expect(start({ PIXPRESS_PUBLIC_URL: 'https://images.example.com' })).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      data: '/var/lib/pixpress',
      metrics: { host: '0.0.0.0', port: 9464 },
    })
    expect(() => start({})).toThrow(/public-url/)
  })
})
