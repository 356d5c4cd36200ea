import type { ImageQuery } from '../directives/query.ts'
import type { TypesResult, TypesSettings, TypesWriter } from './write.ts'

/** Milliseconds after the first new import until the types follow: those that come with it are taken along. */
const DELAY = 100

/** The options that the types of imports depend on. */
export interface KeptTypesOptions {
  /** Absolute: the project's folder. */
  readonly root: string
  /** Absolute: the file of types; `undefined` without the option. */
  readonly types: string | undefined
  /** Options that change what a module exports, as JSON. */
  readonly shaping: string
}

/** Keeps the file of the option `types` up to date. */
export interface KeptTypes {
  readonly writer: TypesWriter
  /** An import was asked for: a new one is soon among the types. */
  note(file: string, query: ImageQuery): void
  /** Brings them up to date at the end of a build. */
  flush(): Promise<void>
}

/** @returns `undefined` without the option, so that builds without it load and scan nothing */
export function keepTypes(
  { root, types: file, shaping: options }: KeptTypesOptions,
  { onProblem, ...rest }: Pick<TypesSettings, 'resolve' | 'probe'> & { onProblem(message: string): void },
): KeptTypes | undefined {
  if (file === undefined) return undefined
  let opened: Promise<TypesWriter> | undefined
  let waiting: NodeJS.Timeout | undefined
  const known = new Set<string>()
  const writer: TypesWriter = {
    async update(check) {
      opened ??= import('./write.ts').then((module) => module.createTypesWriter({ root, file, options, ...rest }))
      return (await opened).update(check)
    },
  }

  async function run(): Promise<TypesResult | undefined> {
    clearTimeout(waiting)
    waiting = undefined
    return writer.update().catch((error: unknown) => {
      onProblem(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    })
  }

  return {
    writer,
    note(source, query) {
      const key = JSON.stringify([source, ...query.directives])
      if (known.has(key)) return
      known.add(key)
      waiting ??= setTimeout(() => void run(), DELAY).unref()
    },
    async flush() {
      await run()
    },
  }
}
