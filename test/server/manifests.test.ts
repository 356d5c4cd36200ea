import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { WORKSPACE, freePort, requireTool } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readCommandLine, resolveSettings } from '../../packages/server/dist/index.js'
import type { ServerSettings } from '../../packages/server/dist/index.js'
import { startReplica } from './replica.ts'
import type { Replica } from './replica.ts'

const run = promisify(execFile)
const read = (name: string): Promise<string> => readFile(path.join(WORKSPACE, 'examples/server', name), 'utf8')

/** Variables of the image, which all manifests start with. */
const ofImage = Object.fromEntries(
  [...(await read('Dockerfile')).matchAll(/\b([A-Z][A-Z_\d]*)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
)
const SECRETS = {
  PIXPRESS_KEYS: 'shop=sha256:' + 'ab'.repeat(32),
  PIXPRESS_REDIS_URL: 'redis://redis:6379/0',
  PIXPRESS_S3_ACCESS_KEY_ID: 'account',
  PIXPRESS_S3_SECRET_ACCESS_KEY: 'secret',
}

/** Reads variables as the server does, which refuses names and values that it does not know. */
const settingsOf = (variables: Readonly<Record<string, string>>): ServerSettings => {
  const env = { ...ofImage, ...variables }
  const { given, nameOf } = readCommandLine([], env)
  return resolveSettings(given, env, nameOf)
}

/** Fills `${NAME:-default}` and `${NAME:?reason}` as Docker Compose does. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g, (_, name: string, preset?: string) => {
    const value = (SECRETS as Record<string, string>)[name] ?? preset
    if (value === undefined) throw new Error(`${name} is no variable that the page speaks of.`)
    return value
  })

interface Service {
  readonly environment?: Readonly<Record<string, string | number>>
  readonly command?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly [member: string]: unknown
}

const compose = parse(filled(await read('shared/compose.yaml'))) as {
  readonly services: Readonly<Record<'balancer' | 'pixpress' | 'redis' | 's3', Service>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
}

const strings = (given: Service['environment'] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))

const MIB = 2 ** 20
/** Bytes of a quantity, as Docker and Kubernetes write it. */
function bytesOf(quantity: string): number {
  const [, number, unit] = /^(\d+)(m|g|Mi|Gi)$/.exec(quantity)!
  return Number(number) * (unit!.startsWith('m') || unit === 'Mi' ? MIB : 1024 * MIB)
}

/** The bytes that a server holds at most by its settings, and what Node and the decoders take besides. */
const neededBy = ({ uploadMemory, workMemory }: ServerSettings): number => uploadMemory + workMemory + 512 * MIB

/** The longest time that a server takes to end, in seconds. */
const secondsToEnd = ({ drainDelay, drainTimeout }: ServerSettings): number => (drainDelay + drainTimeout) / 1000

describe('examples/server/shared/compose.yaml', () => {
  const { balancer, pixpress, redis, s3 } = compose.services

  it('starts servers with settings that there are, which share Redis and the bucket', () => {
    const settings = settingsOf(strings(pixpress.environment))
    expect(settings).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      publicUrl: 'https://localhost:8443',
      shared: { redisUrl: 'redis://redis:6379/0', bucket: { endpoint: 'https://s3:7070', bucket: 'outputs' } },
    })
    expect(pixpress.deploy).toEqual({ replicas: 2 })
    expect(Number.parseInt(String(pixpress.stop_grace_period), 10)).toBeGreaterThan(secondsToEnd(settings))
    expect(bytesOf(String(pixpress.mem_limit))).toBeGreaterThan(neededBy(settings))
  })

  it('gives the S3 server a volume as the bucket, the same credentials and a certificate', () => {
    expect(s3.environment).toEqual({ ROOT_ACCESS_KEY: 'account', ROOT_SECRET_KEY: 'secret' })
    expect(s3.volumes).toContain('outputs:/data/outputs')
    expect(s3.command!.slice(-2)).toEqual(['posix', '/data'])
    expect(pixpress.environment!.NODE_EXTRA_CA_CERTS).toBe('/certificates/ca.pem')
  })

  it('gives servers and balancer no disk to write on, no capability and no new privilege', () => {
    for (const service of [balancer, pixpress])
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(Object.values(compose.services).filter((service) => 'privileged' in service)).toEqual([])
    expect(Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)).toHaveLength(1)
    expect(compose.networks.storage).toEqual({ internal: true })
    expect([redis.networks, s3.networks]).toEqual([['storage'], ['storage']])
  })

  it('starts a Redis that keeps counts as the page says', async () => {
    const page = await readFile(path.join(WORKSPACE, 'docs/server.md'), 'utf8')
    const lines = /```text\n(appendonly .*?)```/s.exec(page)![1]!.trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(redis.command).toEqual(['redis-server', ...lines.flatMap((line) => `--${line}`.split(' '))])
  })

  it.skipIf(requireTool('haproxy') === undefined || process.platform === 'win32')(
    'has a balancer whose settings haproxy takes, with the certificates that the script makes (needs haproxy)',
    async () => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-compose-'))
      try {
        await cp(path.join(WORKSPACE, 'examples/server/shared'), folder, { recursive: true })
        await run('sh', ['certificates.sh'], { cwd: folder })
        const settings = (await read('shared/haproxy.cfg')).replace('/certificates/', `${folder}/certificates/`)
        await writeFile(path.join(folder, 'haproxy.cfg'), settings)
        await run(requireTool('haproxy')!, ['-c', '-f', path.join(folder, 'haproxy.cfg')])
        const chain = ['verify', '-CAfile', 'ca.pem', '-verify_hostname', 's3', 's3.pem']
        expect((await run('openssl', chain, { cwd: path.join(folder, 'certificates') })).stdout).toContain('s3.pem: OK')
        expect(await readFile(path.join(folder, 'certificates/images.pem'), 'utf8')).toContain('PRIVATE KEY')
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  )
})

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly failureThreshold?: number
}

interface Container {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly resources: { readonly requests: Record<string, string>; readonly limits: Record<string, string> }
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Pod {
  readonly terminationGracePeriodSeconds: number
  readonly containers: readonly [Container]
  readonly volumes: readonly { readonly name: string }[]
}

interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: {
    readonly selector: object
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: Pod }
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[]
    readonly ports: readonly { readonly targetPort: string }[]
  }
}

describe.each([
  ['shared.yaml', 'Deployment', SECRETS],
  ['single.yaml', 'StatefulSet', { PIXPRESS_KEYS: SECRETS.PIXPRESS_KEYS }],
])('examples/server/kubernetes/%s', (name, kind, secrets) => {
  let resources: Map<string, Resource>
  let settings: ServerSettings
  let pod: Pod
  let server: Replica

  beforeAll(async () => {
    const documents = parseAllDocuments(await read(`kubernetes/${name}`))
    expect(documents.flatMap(({ errors }) => errors)).toEqual([])
    resources = new Map(documents.map((document) => document.toJS() as Resource).map((each) => [each.kind, each]))
    settings = settingsOf({ ...resources.get('ConfigMap')!.data, ...secrets })
    pod = resources.get(kind)!.spec.template.spec
    server = await startReplica(await freePort(), ['--key', 'secret'], {})
  })
  afterAll(async () => {
    server.kill('SIGTERM')
    await server.exited
  })

  it('starts with settings that there are, at the ports that it names', () => {
    const { ports } = pod.containers[0]
    expect(ports).toEqual([
      { name: 'http', containerPort: settings.port },
      { name: 'metrics', containerPort: settings.metrics!.port },
    ])
    expect(settings.metrics!.host).toBe('0.0.0.0')
    expect(resources.get('Service')!.spec.ports).toMatchObject([{ targetPort: 'http' }])
    expect(resources.get('Service')!.spec.selector).toEqual(resources.get(kind)!.spec.template.metadata.labels)
    expect(settings.shared === undefined).toBe(name === 'single.yaml')
  })

  it('has probes of routes that there are, and ends without cutting off a request', async () => {
    const { startupProbe, readinessProbe, livenessProbe } = pod.containers[0]
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect(httpGet.port).toBe('http')
      expect((await fetch(new URL(httpGet.path, server.url))).status).toBe(200)
    }
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz'])
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(secondsToEnd(settings))
    if (kind === 'Deployment') {
      const seconds = readinessProbe.periodSeconds * readinessProbe.failureThreshold!
      expect(settings.drainDelay / 1000).toBeGreaterThan(seconds)
    }
  })

  it('runs as no root, with no capability, on a disk that it cannot write but where its outputs are', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    })
    const [container] = pod.containers
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    })
    const claims = resources.get(kind)!.spec.volumeClaimTemplates ?? []
    const volumes = [...pod.volumes.map((volume) => volume.name), ...claims.map(({ metadata }) => metadata.name)]
    expect(container.volumeMounts.map((mount) => mount.name).sort()).toEqual(volumes.sort())
    const mounted = container.volumeMounts.map(({ mountPath }) => mountPath).sort()
    expect(mounted).toEqual(settings.shared === undefined ? ['/tmp', settings.data].sort() : ['/tmp'])
  })

  it('has the memory that its settings let it take, and the processors that it works on', () => {
    const { requests, limits } = pod.containers[0].resources
    expect(bytesOf(limits.memory!)).toBeGreaterThan(neededBy(settings))
    expect(settings.concurrency).toBe(Number(requests.cpu))
  })
})
