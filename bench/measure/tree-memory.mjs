import { readFileSync } from 'node:fs'

/** Milliseconds between two measurements. Encoders hold their planes for longer. */
const EVERY = 20

/**
 * Watches the memory of a process and of all processes that it starts. Pages that they share count for each.
 * @returns a function that ends the watch and returns the peak in bytes; 0 if there is no `/proc`
 */
export function watchMemory(pid) {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, residentOf(pid))), EVERY)
  return () => {
    clearInterval(timer)
    return peak
  }
}

function residentOf(pid) {
  try {
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + residentOf(child), Number(kilobytes) * 1024)
  } catch {
    // The process has ended, or the system is not Linux.
    return 0
  }
}
