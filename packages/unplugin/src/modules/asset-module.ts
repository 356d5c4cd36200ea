import { PixpressError } from '@pixpress/core'

/** The code of a module whose default export is the value of a JavaScript expression. */
export function exportDefault(expression: string): string {
  return `export default ${expression}\n`
}

/**
 * A JavaScript expression of a JSON value. It may stand in an inline script, for it holds neither `</script>` nor
 * `<!--`, and in code of before ES2019, for it holds no U+2028 or U+2029. Like in JSON, properties that are `undefined`
 * are left out.
 *
 * @throws PixpressError `INTERNAL` when JSON has no form for the value.
 */
export function toLiteral(value: unknown): string {
  return stringify(value)
    .replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/([{,])"__proto__":/g, '$1["__proto__"]:') // Without brackets it would set the prototype.
}

function stringify(value: unknown): string {
  let json: string | undefined
  try {
    json = JSON.stringify(value)
  } catch (cause) {
    throw new PixpressError('INTERNAL', 'A value to be written into a module is cyclic or a BigInt.', { cause })
  }
  if (json === undefined) throw new PixpressError('INTERNAL', `No JSON for a value of type ${typeof value}.`)
  return json
}
