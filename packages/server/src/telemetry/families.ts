/** Values of a metric by their labels, which are empty or in braces. */
export type Samples = readonly (readonly [labels: string, value: number])[]

/** Returns the lines of one metric. */
export function family(name: string, type: 'counter' | 'gauge', help: string, samples: Samples): string[] {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}
