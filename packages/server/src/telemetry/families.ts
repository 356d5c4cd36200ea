/** The labels of a value: a fixed few, and names of accounts. */
export type Labels = Readonly<Record<string, string>>

/** Values of a metric by their labels. */
export type Samples = readonly (readonly [labels: Labels, value: number])[]

/** One metric with its values of now. */
export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly samples: Samples
}

/** Labels of a value that is alone. */
export const ALONE: Labels = {}

/** Returns the lines of one metric in Prometheus' text format. */
export function linesOf({ name, type, help, samples }: Family): string[] {
  const lines = samples.map(([labels, value]) => {
    const text = labelsText(labels)
    return `${name}${text === '' ? '' : `{${text}}`} ${value}`
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}

/** Returns labels as they stand between braces. */
export const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')
