import { readFileSync } from 'node:fs'

/** Milliseconds between two looks: encoders hold their planes for longer. */
const EVERY = 20

/**
 * Watches what a process and all that it starts have in memory together. Pages that they share count for each.
 * @returns a function that ends it and gives the peak in bytes; 0 where there is no `/proc`
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
    // It has ended, or this is no Linux.
    return 0
  }
}
