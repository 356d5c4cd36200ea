import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createTestAuthority, failure, naming } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { FLAGS, readCommandLine, resolveSettings } from '../../src/index.ts'
import type { FlagName } from '../../src/settings/flags.ts'

describe('resolveSettings', () => {
  it('starts with nothing: loopback, 100 MB, 100 MP, 256 frames, 48 hours, no monthly limit', () => {
    expect(resolveSettings()).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      keys: [],
      makesKey: true,
      tls: undefined,
      publicUrl: undefined,
      shared: undefined,
      rate: { interval: 10, burst: 100 },
      monthlyLimit: Number.POSITIVE_INFINITY,
      limits: { maxBytes: 100e6, maxPixels: 100e6, maxFrames: 256, timeout: 120_000 },
      retention: 48 * 3_600_000,
      queue: 100,
      maxWait: 240_000,
      weights: new Map(),
      allowedHosts: new Set(),
      sandbox: 'auto',
      metrics: { host: '127.0.0.1', port: 9464, required: false },
    })
  })

  it('reads units', () => {
    const settings = resolveSettings({
      'max-bytes': '20 MiB',
      'max-pixels': '50MP',
      retention: '7d',
      rate: '600/min',
      'monthly-limit': '500',
      timeout: '90s',
      'metrics-port': '0',
    })
    expect(settings).toMatchObject({
      limits: { maxBytes: 20 * 1024 ** 2, maxPixels: 50e6, timeout: 90_000 },
      retention: 7 * 86_400_000,
      rate: { interval: 100, burst: 600 },
      monthlyLimit: 500,
      metrics: { required: true },
    })
    expect(resolveSettings({ rate: 'none', 'metrics-port': 'none', 'monthly-limit': 'none' })).toMatchObject({
      rate: undefined,
      metrics: undefined,
      monthlyLimit: Number.POSITIVE_INFINITY,
    })
  })

  it('reads the weights of accounts, hosts and the memory for work', () => {
    expect(
      resolveSettings({
        weight: 'shop=3, blog=1',
        'allow-host': 'Images.Example.com localhost:9000',
        'work-memory': '1GB',
      }),
    ).toMatchObject({
      weights: new Map([
        ['shop', 3],
        ['blog', 1],
      ]),
      allowedHosts: new Set(['images.example.com', 'localhost:9000']),
      workMemory: 1e9,
    })
    expect(resolveSettings().workMemory).toBeLessThanOrEqual(512 * 1024 ** 2)
  })

  it.each([
    [{ port: '70000' }, /'--port'.*'70000'/],
    [{ queue: '-1' }, /'--queue'/],
    [{ 'max-wait': '4' }, /a time such as.*'--max-wait'/],
    [{ 'work-memory': 'much' }, /a size of at least 1 byte.*'--work-memory'/],
    [{ weight: 'shop' }, /a whole number from 1 to 999 such as 'shop=3' for '--weight'.*'shop'/],
    [{ weight: 'shop=3,blog=0' }, /'--weight'.*'blog=0'/],
    [{ weight: 'shop=0.5' }, /'--weight'/],
    [{ 'allow-host': 'https://images.example.com' }, /a host such as.*'--allow-host'/],
    [{ 'allow-host': 'images.example.com/path' }, /'--allow-host'/],
    [{ 'allow-host': Array.from({ length: 1001 }, (_, at) => `h${at}`).join(',') }, /at most 1000.*'--allow-host'/],
    [{ port: 'http' }, /'--port'/],
    [{ 'max-bytes': '100 potatoes' }, /a size of at least 1 byte, such as .*'--max-bytes'/],
    [{ 'max-bytes': '0' }, /'--max-bytes'/],
    [{ sandbox: 'docker' }, /'auto' or 'none' for '--sandbox'.*'docker'/],
    [{ retention: '48' }, /a time such as.*'--retention'/],
    [{ rate: '100' }, /a rate such as '100\/s'.*'--rate'/],
    [{ rate: '0/s' }, /'--rate'/],
    [{ 'monthly-limit': '0' }, /'--monthly-limit'/],
    [{ queue: '-1' }, /'--queue'/],
    [{ 'allow-source': 'http://host' }, /'--allow-source'/],
    [{ 'allow-origin': 'www.example.com' }, /origins such as.*'--allow-origin'/],
    [{ 'allow-origin': 'https://www.example.com/path' }, /'--allow-origin'/],
    [{ 'allow-origin': '*' }, /'--allow-origin'/],
    [{ 'public-url': 'http://images.example.org' }, /an https URL.*'--public-url'/],
    [{ 'public-url': 'https://images.example.org?x' }, /'--public-url'/],
    [{ host: '0.0.0.0', 'public-url': 'http://localhost:8080' }, /Refusing to listen unencrypted/],
    [{ 'tls-cert': 'cert.pem' }, /'--tls-cert' and '--tls-key' belong together/],
    [
      { 'tls-cert': '/nowhere/cert.pem', 'tls-key': '/nowhere/key.pem' },
      /'--tls-cert', \/nowhere\/cert\.pem, cannot be read/,
    ],
    [{ redis: 'redis://localhost' }, /'--redis' and '--s3' belong together/],
    [{ s3: 'https://s3.example.org/bucket' }, /belong together/],
    [{ redis: 'http://localhost', s3: 'https://s3.example.org/bucket' }, /redis:\/\/host:6379/],
    [{ redis: 'redis://localhost', s3: 'https://s3.example.org' }, /'--s3'/],
    [{ redis: 'redis://localhost', s3: 'http://s3.example.org/bucket' }, /an https URL.*'--s3'/],
    [{ redis: 'redis://localhost', s3: 'https://s3.example.org/bucket' }, /PIXPRESS_S3_ACCESS_KEY_ID/],
    [{ 'upload-memory': '10MB' }, /'--upload-memory' must be at least '--max-bytes'/],
    [{ key: 'sha256:abc' }, /64 hexadecimal digits/],
  ])('refuses %j', (given, message) => {
    expect(() => resolveSettings(given)).toThrow(message)
  })

  it.each([
    [{ redis: 'rediss//user:hunter2@host', s3: 'https://s3.example.org/bucket' }],
    [{ redis: 'redis://host', s3: 'https://user:hunter2@s3.example.org/bucket' }],
    [{ key: 'sha256:hunter2' }],
    [{ key: 'shop=sha256:hunter2' }],
  ])('refuses %j without showing the secret', (given) => {
    let said = ''
    try {
      resolveSettings(given)
    } catch (error) {
      said = (error as Error).message
    }
    expect(said).not.toBe('')
    expect(said).not.toContain('hunter2')
  })

  it('reads the shared back end', () => {
    const env = { PIXPRESS_S3_ACCESS_KEY_ID: 'id', PIXPRESS_S3_SECRET_ACCESS_KEY: 'secret' }
    const given = { redis: 'redis://cache:6379', s3: 'https://s3.example.org/outputs', key: 'one' }
    expect(resolveSettings(given, env).shared).toEqual({
      redisUrl: 'redis://cache:6379',
      bucket: {
        endpoint: 'https://s3.example.org',
        bucket: 'outputs',
        region: 'us-east-1',
        accessKeyId: 'id',
        secretAccessKey: 'secret',
      },
    })
    // All machines share the keys that commands add, so none of them makes its own.
    expect(resolveSettings({ ...given, key: '' }, env)).toMatchObject({ keys: [], makesKey: false })
  })

  it('refuses a certificate that does not belong to the key', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-tls-'))
    try {
      const [one, other] = await Promise.all([createTestAuthority(), createTestAuthority()])
      const file = (name: string): string => path.join(folder, name)
      await writeFile(file('cert.pem'), one.server.cert)
      await writeFile(file('key.pem'), one.server.key)
      await writeFile(file('other.pem'), other.server.key)
      const right = { 'tls-cert': file('cert.pem'), 'tls-key': file('key.pem'), host: '0.0.0.0' }
      expect(resolveSettings(right).tls?.cert).toBe(one.server.cert)
      expect(() => resolveSettings({ ...right, 'tls-key': file('other.pem') })).toThrow(
        failure('INVALID_OPTION', 'be used together'),
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** The message about a command line and its variables; empty where all is right. */
function refusalOf(argv: readonly string[], env: Readonly<Record<string, string>>): string {
  try {
    const { given, nameOf } = readCommandLine(argv, env)
    resolveSettings(given, env, nameOf)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('readCommandLine', () => {
  it('takes flags before variables, and joins those that may be repeated', () => {
    const { given } = readCommandLine(['--port=1', '--key', 'a', '--key=b=c', '--allow-source', '10.0.0.1'], {
      PIXPRESS_PORT: '2',
      PIXPRESS_HOST: '::1',
      PIXPRESS_KEYS: 'z',
      PIXPRESS_DATA: ' ',
    })
    expect(given).toEqual({ port: '1', key: 'a,b=c', 'allow-source': '10.0.0.1', host: '::1' })
  })

  it('names the variable where a value came from it, and the flag where it came from that', () => {
    const wrong: Partial<Record<FlagName, string>> = {
      port: 'http',
      'public-url': 'http://images.example.org',
      redis: 'http://localhost',
      s3: 'http://bucket',
      'allow-source': 'http://host',
      'allow-origin': 'www.example.com',
      'monthly-limit': '0',
      rate: '100',
      'max-bytes': 'many',
      'max-pixels': 'many',
      'max-frames': '0',
      timeout: '5',
      retention: '48',
      'cache-size': '0',
      concurrency: '0',
      sandbox: 'docker',
      otel: 'jaeger',
      queue: '-1',
      'max-wait': '5',
      'work-memory': 'much',
      weight: 'shop',
      'allow-host': 'https://host',
      'upload-memory': '10MB',
      'upload-timeout': '5',
      'store-s3-endpoint': 'http://s3',
      'store-gcs-endpoint': 'http://gcs',
      'store-azure-endpoint': 'http://azure',
      'delivery-key': 'short',
      'delivery-source': 'photos',
      'delivery-preset': 'url=w=5',
      'delivery-widths': '0',
      'delivery-max-age': '5',
      'delivery-cache': '0',
      'metrics-port': 'x',
      'drain-delay': '5',
      'drain-timeout': '5',
      'tls-cert': '/nowhere/cert.pem',
      'tls-key': '/nowhere/key.pem',
      host: '0.0.0.0',
      key: 'sha256:abc',
      'keys-file': '/nowhere/keys.txt',
    }
    // Any text is right for these.
    const free = new Set(['data', 's3-region', 'metrics-host'])
    expect(Object.keys(wrong).sort()).toEqual(
      Object.keys(FLAGS)
        .filter((name) => !free.has(name))
        .sort(),
    )
    for (const [name, value] of Object.entries(wrong)) {
      const { variable } = FLAGS[name as FlagName]
      const partner = { redis: 's3', s3: 'redis' }[name]
      const signed = name.startsWith('delivery-') && name !== 'delivery-key'
      const beside: Record<string, string> = signed
        ? { PIXPRESS_DELIVERY_KEYS: 'k'.repeat(32) }
        : partner === undefined
          ? {}
          : { [FLAGS[partner as FlagName].variable]: `${partner === 'redis' ? 'redis' : 'https'}://x/y` }
      const byVariable = refusalOf([], { ...beside, [variable]: value })
      expect(byVariable, variable).toContain(variable)
      expect(byVariable, variable).not.toContain(`--${name} `)
      const byFlag = refusalOf([`--${name}=${value}`], beside)
      expect(byFlag, name).not.toContain(variable)
      expect(byFlag, name).not.toBe('')
    }
    expect(refusalOf([], { PIXPRESS_TLS_CERT: 'cert.pem' })).toEqual(
      naming("'PIXPRESS_TLS_CERT'", "'PIXPRESS_TLS_KEY'"),
    )
    expect(refusalOf([], { PIXPRESS_REDIS_URL: 'redis://x' })).toEqual(
      naming("'PIXPRESS_REDIS_URL'", "'PIXPRESS_S3_URL'"),
    )
  })

  it.each([
    ['PIXPRESS_PROT', "Unknown variable 'PIXPRESS_PROT'. Did you mean 'PIXPRESS_PORT'?"],
    ['PIXPRESS_MAX_BYTE', "Unknown variable 'PIXPRESS_MAX_BYTE'. Did you mean 'PIXPRESS_MAX_BYTES'?"],
    ['PIXPRESS_S3_ACCES_KEY_ID', /Did you mean 'PIXPRESS_S3_ACCESS_KEY_ID'\?$/],
    ['PIXPRESS_ELEPHANT', /^Unknown variable 'PIXPRESS_ELEPHANT'\. Known: .*PIXPRESS_PORT, /],
  ])('refuses the variable %s without showing what it holds', (name, message) => {
    expect(() => readCommandLine([], { [name]: 'hunter2' })).toThrow(message)
    expect(() => readCommandLine([], { [name]: 'hunter2' })).not.toThrow(/hunter2/)
  })

  it('leaves variables alone that are not its own: of clients and reports, and of container systems', () => {
    const env = {
      PIXPRESS_KEY: 'a',
      PIXPRESS_REPORT: 'full',
      PIXPRESS_PROFILE: '1',
      PIXPRESS_SERVICE_HOST: '10.0.0.1',
      PIXPRESS_SERVICE_PORT_HTTP: '8080',
      PIXPRESS_PORT_8080_TCP_ADDR: '10.0.0.1',
      PIXPRESS_IMAGES_PORT: 'tcp://10.0.0.1:8080',
      PIXPRESSED: 'x',
    }
    expect(readCommandLine([], env).given).toEqual({})
  })

  it.each([
    [['--prot', '1'], /Unknown option '--prot'\. Did you mean '--port'\?/],
    [['--port'], /--port needs a value/],
    [['--port', '1', '--port', '2'], /--port is given twice/],
    [['start'], /Only flags are expected/],
    [['-p', '1'], /Unknown option '-p'/],
  ])('refuses %j', (argv, message) => {
    expect(() => readCommandLine(argv, {})).toThrow(message)
  })
})
