/** Milliseconds of processor time of this process, all its threads together. */
export function processorTime() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
