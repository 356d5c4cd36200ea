/**
 * JavaScript expressions of URLs, some of which only a bundler can say: literals are joined, everything else is
 * concatenated.
 */

/** Member to JavaScript expression. */
export type Members = Readonly<Record<string, string>>

/** One expression for the parts put together; neighbouring literals become one. */
export function concatenate(expressions: readonly string[]): string {
  const parts: string[] = []
  for (const expression of expressions) {
    const literal = stringLiteral(expression)
    const before = stringLiteral(parts.at(-1) ?? '')
    if (literal === '' && expressions.length > 1) continue
    if (literal !== undefined && before !== undefined) parts[parts.length - 1] = JSON.stringify(before + literal)
    else parts.push(literal !== undefined || /^[\w$.]+$/.test(expression) ? expression : `(${expression})`)
  }
  return parts.join(' + ')
}

/** The value of a string literal in double quotes; `undefined` for any other expression. */
export function stringLiteral(expression: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(expression)) return undefined
  return JSON.parse(expression) as string
}

/** Returns a single expression as it is, and several as an array literal. */
export function oneOrArray(expressions: readonly string[]): string {
  return expressions.length === 1 ? expressions[0]! : `[${expressions.join(', ')}]`
}

/** Returns an object literal of members. */
export function objectLiteral(members: Members): string {
  const rows = Object.entries(members).map(([name, value]) => `${propertyName(name)}: ${value}`)
  return rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`
}

/** An object with members besides that have to be asked for by name: neither loops nor copies see them. */
export function withHidden(members: Members, hidden: Members): string {
  const rows = Object.entries(hidden).map(([name, value]) => `${propertyName(name)}: { value: ${value} }`)
  if (rows.length === 0) return objectLiteral(members)
  return `/* @__PURE__ */ Object.defineProperties(${objectLiteral(members)}, { ${rows.join(', ')} })`
}

function propertyName(name: string): string {
  return /^[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name)
}

/** Returns a module's default export of an expression. */
export function defaultExport(expression: string): string {
  return `export default ${expression};\n`
}

/** A default export of an object, and each member as a named one too, so that unused ones can be shaken off. */
export function namedExports(members: Members, named: boolean = true): string {
  if (!named) return defaultExport(objectLiteral(members))
  const declarations = Object.entries(members).map(([name, value]) => `export const ${name} = ${value};\n`)
  return `${declarations.join('')}export default { ${Object.keys(members).join(', ')} };\n`
}
