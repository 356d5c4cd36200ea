import os from 'node:os'
import { describe, expect, it } from 'vitest'
import { availableCpus, availableMemory } from '../../src/concurrency/cpus.ts'
import type { CpuSources } from '../../src/concurrency/cpus.ts'

const GIB = 1024 ** 3

function machine(parallelism: number, files: Record<string, string> = {}): CpuSources {
  return { parallelism: () => parallelism, readFile: (file) => files[file] }
}

describe('availableCpus', () => {
  it('is between 1 and what the operating system offers, here', () => {
    expect(Number.isInteger(availableCpus())).toBe(true)
    expect(availableCpus()).toBeGreaterThanOrEqual(1)
    expect(availableCpus()).toBeLessThanOrEqual(os.availableParallelism())
  })

  it('is what the operating system offers where there are no control groups', () => {
    expect(availableCpus(machine(8))).toBe(8)
  })

  describe('control groups of version 2', () => {
    const group = { '/proc/self/cgroup': '0::/\n' }

    it.each([
      ['max 100000\n', 8],
      ['200000 100000\n', 2],
      ['50000 100000\n', 1],
      ['350000 100000\n', 3],
      ['1600000 100000\n', 8],
      ['200000', 8],
      ['200000 0\n', 8],
      ['', 8],
    ])('cpu.max %j gives %i of 8', (text, cpus) => {
      expect(availableCpus(machine(8, { ...group, '/sys/fs/cgroup/cpu.max': text }))).toBe(cpus)
    })

    it('takes the tightest limit of the group and all above it', () => {
      const nested = {
        '/proc/self/cgroup': '0::/user.slice/app.scope\n',
        '/sys/fs/cgroup/user.slice/app.scope/cpu.max': '600000 100000\n',
        '/sys/fs/cgroup/user.slice/cpu.max': '300000 100000\n',
      }
      expect(availableCpus(machine(8, nested))).toBe(3)
      expect(availableCpus(machine(2, nested))).toBe(2)
    })

    it("finds the container's own group when the path is the host's", () => {
      const container = { '/proc/self/cgroup': '0::/docker/4f2a\n', '/sys/fs/cgroup/cpu.max': '150000 100000\n' }
      expect(availableCpus(machine(8, container))).toBe(1)
    })
  })

  describe('control groups of version 1', () => {
    const groups = '12:memory:/app\n4:cpu,cpuacct:/app\n3:cpuset:/\n1:name=systemd:/\n0::/app\n'
    const quota = (folder: string, text: string): Record<string, string> => ({
      '/proc/self/cgroup': groups,
      [`${folder}/cpu.cfs_quota_us`]: text,
      [`${folder}/cpu.cfs_period_us`]: '100000\n',
    })

    it.each([
      ['-1\n', 8],
      ['250000\n', 2],
      ['10000\n', 1],
      ['unreadable', 8],
    ])('cpu.cfs_quota_us %j gives %i of 8', (text, cpus) => {
      expect(availableCpus(machine(8, quota('/sys/fs/cgroup/cpu,cpuacct/app', text)))).toBe(cpus)
    })

    it.each(['/sys/fs/cgroup/cpu/app', '/sys/fs/cgroup/cpu', '/sys/fs/cgroup/cpu,cpuacct'])(
      'finds it in %s',
      (folder) => {
        expect(availableCpus(machine(8, quota(folder, '400000\n')))).toBe(4)
      },
    )

    it('does not take cpuset or cpuacct for cpu', () => {
      const files = { ...quota('/sys/fs/cgroup/cpuset', '100000\n'), '/proc/self/cgroup': '3:cpuset:/\n2:cpuacct:/\n' }
      expect(availableCpus(machine(8, { ...files, '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '100000' }))).toBe(8)
    })
  })

  it('takes the tighter of both versions on a machine with both', () => {
    const files = {
      '/proc/self/cgroup': '4:cpu:/\n0::/app\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '500000\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/app/cpu.max': '300000 100000\n',
    }
    expect(availableCpus(machine(8, files))).toBe(3)
  })
})

describe('availableMemory', () => {
  it('is within the memory of the machine, here', () => {
    expect(availableMemory()).toBeGreaterThan(0)
    expect(availableMemory()).toBeLessThanOrEqual(os.totalmem())
  })

  it.each([
    ['a limit', 2 * GIB, 2 * GIB],
    ['no limit, as 0', 0, 16 * GIB],
    ['no limit, as undefined', undefined, 16 * GIB],
    ['no limit, as the largest number', 2 ** 64, 16 * GIB],
    ['a limit above what there is', 32 * GIB, 16 * GIB],
  ])('%s', (_, constrained, expected) => {
    expect(availableMemory({ constrained: () => constrained, total: () => 16 * GIB })).toBe(expected)
  })
})
