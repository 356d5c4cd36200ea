import type { FACTS } from './facts.ts'

/** The rows of `FACTS`, with their literal values. */
export type Facts = typeof FACTS

/** The short name of a format, and its word in directives. */
export type FormatName = keyof Facts

/** A MIME type that the engine recognises by content. */
export type InputType = Facts[FormatName]['type']

/** A format that the engine can write. */
export type WritableName = {
  [Name in FormatName]: Facts[Name]['writable'] extends true ? Name : never
}[FormatName]

/** A MIME type that the engine can write. */
export type ImageType = Facts[WritableName]['type']
