import { text } from '../../options/parsers.ts'
import type { ProjectOption } from './option.ts'

interface RootOption {
  /** Folder that `include`, `exclude` and the report's paths are relative to. Default: the bundler's own root. */
  root?: string
}

/** The row of `root`. */
export const root: ProjectOption<RootOption> = {
  place: 30,
  parser: text('a path'),
  shownDefault: "the bundler's root",
  doc: "folder that `include`, `exclude` and the report's paths are relative to",
}
