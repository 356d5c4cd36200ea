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
  return code.replace(NAMED, (...match) => {
    const [statement, keyword, list, quote, specifier] = match
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

/** The two lines that `takeNamesLate` writes. */
const LATE = /^import \* as (\$\w+) from (["'][^"']+["']);\n(export )?const \{ ([^}]*) \} = \1;$/gm

/**
 * Gives the module as it was before `takeNamesLate`: tsc leaves what it has compiled, and a bundle is made of modules
 * whose names are known, the first time as well as the next.
 * @param code any module
 */
export function takeNamesEarly(code) {
  return code.replace(LATE, (...match) => {
    const [, , specifier, exported, bindings] = match
    const names = bindings.replaceAll(': ', ' as ')
    return `${exported === undefined ? 'import' : 'export'} { ${names} } from ${specifier};`
  })
}
