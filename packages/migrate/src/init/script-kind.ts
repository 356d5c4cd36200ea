import { isPunctuator, openerOf, tokenize } from '../script/tokens.ts'

/** How a script loads modules: by `import`, or by `require()`. */
export type ScriptKind = 'esm' | 'commonjs'

/**
 * Tells the kind of a script by what it is written with, and by its name where that leaves it open.
 * @param project kind of the scripts whose name leaves it open as well, as `type` of the package.json has it
 */
export function scriptKind(file: string, code: string, project: ScriptKind): ScriptKind {
  const tokens = tokenize(code)
  const isStatement = tokens.some(({ value }, at) => {
    if (!/^(?:import|export)$/.test(value) || openerOf(tokens, at) !== undefined) return false
    // `import()` and `import.meta` stand in either kind, and a property may have the name.
    return (
      !isPunctuator(tokens[at - 1], '.') && !isPunctuator(tokens[at + 1], '(') && !isPunctuator(tokens[at + 1], '.')
    )
  })
  if (isStatement || /\.m[jt]s$/.test(file)) return 'esm'
  const isRequired = tokens.some(
    ({ value }, at) =>
      (value === 'require' && isPunctuator(tokens[at + 1], '(')) ||
      (value === 'module' && isPunctuator(tokens[at + 1], '.') && tokens[at + 2]?.value === 'exports') ||
      (value === 'exports' && isPunctuator(tokens[at + 1], '.') && !isPunctuator(tokens[at - 1], '.')),
  )
  if (isRequired || /\.c[jt]s$/.test(file)) return 'commonjs'
  // Programs that load TypeScript take imports in it, whatever the type of the project is.
  return /\.tsx?$/.test(file) ? 'esm' : project
}
