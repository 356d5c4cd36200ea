import { PROJECT_CONVERT } from '../../operations/convert.ts'
import { OPERATIONS } from '../../operations/index.ts'
import type { ProjectOperations } from '../../operations/index.ts'
import type { ProjectOption } from './option.ts'

/** The row of `convert`. */
export const convert: ProjectOption<Pick<ProjectOperations, 'convert'>, unknown> = {
  ...OPERATIONS.convert,
  place: 10,
  parser: PROJECT_CONVERT,
  doc: `\`'auto'\`: [the smallest format that your browsers support](convert.md) (not for the command); \`false\`, in \`overrides\`: the format stays. ${OPERATIONS.convert.doc}`,
}
