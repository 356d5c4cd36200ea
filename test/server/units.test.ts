import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { WORKSPACE, requireTool } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const run = promisify(execFile)
const analyze = requireTool('systemd-analyze')

const file = (name: string): string => path.join(WORKSPACE, 'examples/server', name)
const unit = await readFile(file('pixpress.service'), 'utf8')

/** The values of a setting of the unit, in their order. */
const values = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

describe('examples/server/pixpress.service', () => {
  it('gives no privilege, a disk that can be written in one place, and no device', () => {
    for (const name of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'RestrictSUIDSGID'])
      expect([name, values(name)]).toEqual([name, ['true']])
    expect(values('ProtectSystem')).toEqual(['strict'])
    expect(values('StateDirectory')).toEqual(['pixpress'])
    expect(values('CapabilityBoundingSet')).toEqual([''])
    expect(values('SystemCallFilter')).toEqual(['@system-service @mount'])
  })

  it('leaves to the sandbox of the decoders what it is made of', () => {
    expect(values('RestrictNamespaces')).toEqual([])
    expect(values('RestrictAddressFamilies')[0]!.split(' ')).toContain('AF_NETLINK')
  })

  it.skipIf(analyze === undefined)(
    'is one that systemd reads without a complaint (needs systemd-analyze)',
    async () => {
      const { stderr } = await run(analyze!, ['verify', '--man=no', '--recursive-errors=no', file('pixpress.service')])
      // An installed unit of this machine may be complained about, this one may not.
      expect(stderr.split('\n').filter((line) => line.includes('pixpress'))).toEqual([])
    },
  )

  it.skipIf(analyze === undefined)('leaves little open, by what systemd counts (needs systemd-analyze)', async () => {
    // In tenths: systemd counts from 0, which is closed, to 10.
    const args = ['security', '--no-pager', '--offline=yes', '--threshold=30', file('pixpress.service')]
    const { stdout } = await run(analyze!, args)
    expect(stdout).toContain('Overall exposure level')
  })

  it.skipIf(analyze === undefined)('lets through the system calls of a sandbox (needs systemd-analyze)', async () => {
    const groups = values('SystemCallFilter')[0]!.split(' ')
    const known = await allowed(groups)
    for (const call of ['clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'prctl']) expect(known).toContain(call)
    for (const call of ['ptrace', 'bpf', 'init_module', 'kexec_load', 'reboot']) expect(known).not.toContain(call)
  })
})

/** The system calls of groups, and of the groups that those name. */
async function allowed(groups: readonly string[]): Promise<string[]> {
  const { stdout } = await run(analyze!, ['syscall-filter', '--no-pager', ...groups])
  const lines = stdout.split('\n').map((line) => line.trim())
  const calls = lines.filter((line) => /^[a-z]/.test(line))
  const inner = lines.filter((line) => line.startsWith('@') && !groups.includes(line))
  return inner.length === 0 ? calls : [...calls, ...(await allowed([...new Set(inner)]))]
}

describe('examples/server/compose.yaml', () => {
  it('gives the container a disk that it cannot write, no capability, no new privilege, and seccomp', async () => {
    const { services } = parse(await readFile(file('compose.yaml'), 'utf8')) as {
      services: Record<string, Record<string, unknown>>
    }
    expect(Object.keys(services)).toEqual(['pixpress'])
    expect(services.pixpress).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '40s',
      ports: ['127.0.0.1:8080:8080'],
    })
    expect(services.pixpress).not.toHaveProperty('privileged')
    expect(services.pixpress).not.toHaveProperty('cap_add')
  })
})

describe('docs/server.md', () => {
  it('shows the files of examples/server as they are', async () => {
    const page = await readFile(path.join(WORKSPACE, 'docs/server.md'), 'utf8')
    for (const [language, name] of [
      ['ini', 'pixpress.service'],
      ['dockerfile', 'Dockerfile'],
      ['yaml', 'compose.yaml'],
    ]) {
      const text = await readFile(file(name!), 'utf8')
      expect([name, page.includes(`\`\`\`${language}\n${text}\`\`\``)]).toEqual([name, true])
    }
  })
})
