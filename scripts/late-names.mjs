/** Packages whose names may be missing where another release is installed. */
const OURS = /^(?:@pixpress\/(?:core|client)(?:\/(?:internal|report))?|unplugin-pixpress\/internal)$/

/** `import { a, b as c } from 'x'` and `export { a, b as c } from 'x'` at the beginning of a line. */
const NAMED = /^(import|export) \{([^}]*)\} from (["'])([^"']+)\3;?$/gm

/**
 * Takes names from our other packages when a module runs instead of when it is linked. Node refuses a whole program
 * with a SyntaxError where one imported name is missing, before any module runs; so `same-release.js`, which says in
 * one sentence which packages do not fit together, would never run just when it is needed.
 *
 * A module that was changed already stays as it is.
 * @param code a module as tsc or Rolldown writes it
 */
export function takeNamesLate(code) {
  let count = 0
  return code.replace(NAMED, (statement, keyword, list, quote, specifier) => {
    if (!OURS.test(specifier)) return statement
    const names = list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    const binding = `$${specifier.replaceAll(/\W+/g, '_')}_${count++}`
    const bindings = names.map((name) => name.replace(/ as /, ': ')).join(', ')
    const declaration = `${keyword === 'export' ? 'export ' : ''}const { ${bindings} } = ${binding};`
    return `import * as ${binding} from ${quote}${specifier}${quote};\n${declaration}`
  })
}
