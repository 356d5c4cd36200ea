type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A schema of JSON Schema 2020-12, as far as the keywords below go. */
export type JsonSchema = { readonly [keyword: string]: Json }

/** Keywords that only speak to people. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['$schema', '$defs', 'title', 'description'])

interface Place {
  /** The whole document, in which references are looked up. */
  readonly document: JsonSchema
  /** Where the value is: `/images/0/width`. */
  readonly path: string
}

type Check = (value: Json, rule: Json, place: Place) => string[]

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (value, rule, place) => check(value, referenced(rule as string, place.document), place),
  type: (value, rule, { path }) => {
    const types = [rule].flat() as string[]
    const fits = types.includes(typeOf(value)) || (types.includes('number') && typeOf(value) === 'integer')
    return fits ? [] : [`${path} is a ${typeOf(value)}, not ${types.join(' or ')}`]
  },
  const: (value, rule, { path }) => (value === rule ? [] : [`${path} is not ${JSON.stringify(rule)}`]),
  enum: (value, rule, { path }) =>
    (rule as Json[]).includes(value) ? [] : [`${path} is ${JSON.stringify(value)}, which is not among the values`],
  minimum: (value, rule, { path }) =>
    typeof value !== 'number' || value >= (rule as number) ? [] : [`${path} is below ${String(rule)}`],
  maximum: (value, rule, { path }) =>
    typeof value !== 'number' || value <= (rule as number) ? [] : [`${path} is above ${String(rule)}`],
  minLength: (value, rule, { path }) =>
    typeof value !== 'string' || value.length >= (rule as number) ? [] : [`${path} is shorter than ${String(rule)}`],
  minItems: (value, rule, { path }) =>
    !Array.isArray(value) || value.length >= (rule as number) ? [] : [`${path} has fewer than ${String(rule)} items`],
  pattern: (value, rule, { path }) =>
    typeof value !== 'string' || new RegExp(rule as string, 'u').test(value)
      ? []
      : [`${path} does not match ${rule as string}`],
  required: (value, rule, { path }) =>
    isObject(value)
      ? (rule as string[]).filter((key) => !Object.hasOwn(value, key)).map((key) => `${path}/${key} is missing`)
      : [],
  properties: (value, rule, { document, path }) =>
    isObject(value)
      ? Object.entries(value).flatMap(([key, each]) => {
          const described = (rule as JsonSchema)[key] as JsonSchema | undefined
          const place = { document, path: `${path}/${key}` }
          return described === undefined ? [`${place.path} is not described`] : check(each, described, place)
        })
      : [],
  items: (value, rule, { document, path }) =>
    Array.isArray(value)
      ? value.flatMap((each: Json, index) => check(each, rule as JsonSchema, { document, path: `${path}/${index}` }))
      : [],
}

/**
 * Lists the disagreements between a JSON value and a schema: members that the schema rules out, and properties that it
 * does not describe, whether or not it allows them. Empty when they agree.
 * @throws Error on a keyword or a reference that is not known here, so that nothing is checked in vain
 */
export function schemaDisagreements(value: unknown, schema: JsonSchema): string[] {
  refuseUnknownKeywords(schema)
  return check(value as Json, schema, { document: schema, path: '' })
}

/** Also in parts that the value does not reach: a keyword that nobody checks is found by the first value. */
function refuseUnknownKeywords(schema: JsonSchema): void {
  for (const [keyword, rule] of Object.entries(schema)) {
    if (!ANNOTATIONS.has(keyword) && CHECKS[keyword] === undefined) {
      throw new Error(`The checker does not know the keyword ${keyword}.`)
    }
    if (keyword === 'items') refuseUnknownKeywords(rule as JsonSchema)
    if (keyword === 'properties' || keyword === '$defs') {
      Object.values(rule as Readonly<Record<string, JsonSchema>>).forEach(refuseUnknownKeywords)
    }
  }
}

function check(value: Json, schema: JsonSchema, place: Place): string[] {
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (ANNOTATIONS.has(keyword)) return []
    return CHECKS[keyword]!(value, rule, place)
  })
}

function referenced(reference: string, document: JsonSchema): JsonSchema {
  const found = (document['$defs'] as Record<string, JsonSchema> | undefined)?.[reference.replace('#/$defs/', '')]
  if (found === undefined) throw new Error(`The schema has no ${reference}.`)
  return found
}

const isObject = (value: Json): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
