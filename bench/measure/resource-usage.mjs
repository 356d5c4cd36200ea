import { readFileSync, writeSync } from 'node:fs'

/** File descriptor on which a build reports its usage to its parent. */
export const USAGE_DESCRIPTOR = 3

/** The unit of processor times in `/proc`: USER_HZ, which is 100 on every Linux. */
const TICK_MS = 10

/** Reports the processor time and the peak memory of this process to its parent when it exits. */
export function reportUsageAtExit() {
  process.once('exit', () => writeSync(USAGE_DESCRIPTOR, JSON.stringify(usage())))
}

/** `cpu` in milliseconds, user and system, with that of ended child processes; `memory` in bytes. */
function usage() {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const linux = process.platform === 'linux'
  return {
    cpu: (userCPUTime + systemCPUTime) / 1000 + (linux ? childrenMs() : 0),
    memory: linux ? peakOnLinux() : maxRSS * 1024,
  }
}

/** Fields 16 and 17 of proc(5): times of the children that were waited for. The name before them may hold blanks. */
function childrenMs() {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}

/**
 * A process's `maxRSS` begins at that of the process that started it, because getrusage(2) outlives exec. `VmHWM` does
 * not.
 */
function peakOnLinux() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
  return Number(kilobytes) * 1024
}
