import { PROJECT_CONVERT } from '../../operations/convert.ts'
import { OPERATIONS } from '../../operations/index.ts'
import type { ProjectOperations } from '../../operations/index.ts'
import type { ProjectOption } from './option.ts'

/** The row of `convert`. */
export const convert: ProjectOption<Pick<ProjectOperations, 'convert'>, unknown> = {
  ...OPERATIONS.convert,
  place: 10,
  parser: PROJECT_CONVERT,
  doc: `\`'auto'\`: the smallest of AVIF, WebP and the original format, as far as [the project's browsers](convert.md#browsers) support them (not for the command); \`false\`: none, in \`overrides\`. ${OPERATIONS.convert.doc}`,
}
