import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Where the number of processors is read from. */
export interface CpuSources {
  /** Processors that the process may be scheduled on. */
  parallelism(): number
  /** Returns the text of a file, or `undefined` when it cannot be read. */
  readFile(file: string): string | undefined
}

/** Where the amount of memory is read from. */
export interface MemorySources {
  /** Returns the bytes that the process is limited to; 0, `undefined` or more than there are when it is not. */
  constrained(): number | undefined
  /** Returns the bytes of the machine. */
  total(): number
}

const CGROUP_MOUNT = '/sys/fs/cgroup'

const SYSTEM_CPUS: CpuSources = { parallelism: () => os.availableParallelism(), readFile: readText }

const SYSTEM_MEMORY: MemorySources = {
  // Other runtimes than Node may lack it.
  constrained: () => process.constrainedMemory?.(),
  total: () => os.totalmem(),
}

/**
 * Returns how many processors the process may keep busy, at least 1: its CPU affinity, limited by the CPU quota of its
 * container. `os.availableParallelism()` does not know of the quota before libuv 1.49 (Node 20 has 1.46). Like in
 * libuv, a part of a processor does not count, and the tightest limit from the process's own control group upwards
 * holds.
 */
export function availableCpus(sources: CpuSources = SYSTEM_CPUS): number {
  return Math.max(1, Math.floor(Math.min(sources.parallelism(), cpuQuota(sources))))
}

/** Returns the bytes of memory that the process may use: the limit of its container, or what the machine has. */
export function availableMemory(sources: MemorySources = SYSTEM_MEMORY): number {
  const constrained = sources.constrained()
  const total = sources.total()
  return constrained === undefined || !(constrained > 0) ? total : Math.min(constrained, total)
}

/** Processors' worth of time per period that the control groups grant; `Infinity` without a limit. */
function cpuQuota(sources: CpuSources): number {
  let quota = Infinity
  for (const line of (sources.readFile('/proc/self/cgroup') ?? '').split('\n')) {
    // `<hierarchy>:<controllers>:<path>`; version 2 is hierarchy 0 without controllers (cgroups(7)).
    const [, hierarchy, controllers, group] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? []
    if (controllers === undefined || group === undefined) continue
    if (hierarchy === '0' && controllers === '') {
      quota = tightest(quota, group, (folder) => quotaOfVersion2(folder, sources))
    } else if (controllers.split(',').includes('cpu')) {
      quota = tightest(quota, group, (folder) => quotaOfVersion1(controllers, folder, sources))
    }
  }
  return quota
}

/**
 * Returns the least quota of a group and all above it. In a container without a cgroup namespace the path is the
 * host's, which is not there; its top then is the container's own group.
 */
function tightest(quota: number, group: string, quotaOf: (folder: string) => number): number {
  let least = quota
  for (let folder = path.posix.normalize(group); ; folder = path.posix.dirname(folder)) {
    least = Math.min(least, quotaOf(folder))
    if (folder === '/') return least
  }
}

/** `cpu.max` is `<quota or "max"> <period>` in microseconds (docs.kernel.org/admin-guide/cgroup-v2.html). */
function quotaOfVersion2(folder: string, sources: CpuSources): number {
  const [quota, period] = (sources.readFile(path.posix.join(CGROUP_MOUNT, folder, 'cpu.max')) ?? '').trim().split(' ')
  return ratio(quota, period)
}

/** `cpu.cfs_quota_us` is -1 without a limit (docs.kernel.org/scheduler/sched-bwc.html). */
function quotaOfVersion1(controllers: string, folder: string, sources: CpuSources): number {
  // Mounted under the list of its controllers, to which distributions add a link named `cpu`; containers may lack it.
  for (const mount of new Set([controllers, 'cpu'])) {
    const quota = sources.readFile(path.posix.join(CGROUP_MOUNT, mount, folder, 'cpu.cfs_quota_us'))
    if (quota === undefined) continue
    return ratio(quota, sources.readFile(path.posix.join(CGROUP_MOUNT, mount, folder, 'cpu.cfs_period_us')))
  }
  return Infinity
}

function ratio(quota: string | undefined, period: string | undefined): number {
  const processors = Number.parseInt(quota ?? '', 10) / Number.parseInt(period ?? '', 10)
  return processors > 0 ? processors : Infinity
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The system is not Linux, has another version of control groups, or the path is outside the container.
    return undefined
  }
}
