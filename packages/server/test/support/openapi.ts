import { OPENAPI as openapi } from '../../src/routes/openapi.ts'
import type { Answer } from './http.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Schema = { readonly [key: string]: Json }

/** The keywords of JSON Schema that the document uses; another one is an error, so that nothing is checked in vain. */
const KEYWORDS: Readonly<Record<string, (value: Json, rule: Json, schema: Schema) => boolean>> = {
  type: (value, rule) => typeOf(value) === rule || (rule === 'number' && typeOf(value) === 'integer'),
  enum: (value, rule) => (rule as Json[]).includes(value),
  const: (value, rule) => value === rule,
  minimum: (value, rule) => typeof value !== 'number' || value >= (rule as number),
  maximum: (value, rule) => typeof value !== 'number' || value <= (rule as number),
  minLength: (value, rule) => typeof value !== 'string' || value.length >= (rule as number),
  minItems: (value, rule) => !Array.isArray(value) || value.length >= (rule as number),
  pattern: (value, rule) => typeof value !== 'string' || new RegExp(rule as string, 'u').test(value),
  format: (value, rule) => rule === 'uri' && (typeof value !== 'string' || URL.canParse(value)),
  required: (value, rule) => !isObject(value) || (rule as string[]).every((key) => Object.hasOwn(value, key)),
  properties: (value, rule) =>
    !isObject(value) ||
    Object.entries(rule as Schema).every(
      ([key, each]) => value[key] === undefined || conforms(value[key], each as Schema),
    ),
  additionalProperties: (value, rule, { properties = {} }) =>
    rule !== false || !isObject(value) || Object.keys(value).every((key) => Object.hasOwn(properties as object, key)),
  items: (value, rule) => !Array.isArray(value) || value.every((each: Json) => conforms(each, rule as Schema)),
  oneOf: (value, rule) => (rule as Schema[]).filter((each) => conforms(value, each)).length === 1,
  description: () => true,
  default: () => true,
}

/** Tells whether a value agrees with a schema of the document. @throws Error on a keyword that is not known here */
export function conforms(value: Json, schema: Schema): boolean {
  const resolved = resolve(schema)
  return Object.entries(resolved).every(([keyword, rule]) => {
    const check = KEYWORDS[keyword]
    if (check === undefined) throw new Error(`The checker does not know the keyword ${keyword}.`)
    return check(value, rule, resolved)
  })
}

/** Lists the members of an answer that the document does not have, or the other way round; empty when they agree. */
export function disagreements(method: string, path: string, answer: Answer): string[] {
  const operation = (openapi.paths as unknown as Record<string, Record<string, Schema>>)[path]?.[method.toLowerCase()]
  const described = (operation?.responses as Schema | undefined)?.[answer.status]
  if (described === undefined) return [`${method} ${path}: ${answer.status} is not described`]
  const { headers, content } = resolve(described as Schema) as unknown as {
    headers: Record<string, Schema>
    content?: Record<string, { schema: Schema }>
  }
  const wrong: string[] = []
  const given = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  for (const [name, header] of Object.entries(headers)) {
    const { schema } = resolve(header) as unknown as { schema: Schema }
    const text = given[name.toLowerCase()]
    if (text === undefined) continue
    const value = schema.type === 'integer' ? Number(text) : text
    if (!conforms(value, schema)) wrong.push(`${name}: ${text}`)
  }
  const known = new Set([...Object.keys(headers).map((name) => name.toLowerCase()), ...TRANSPORT])
  for (const name of Object.keys(given)) if (!known.has(name)) wrong.push(`the header ${name} is not described`)
  const type = given['content-type'] ?? ''
  if (content === undefined) return type === '' ? wrong : [...wrong, `a body of the type ${type} is not described`]
  const body = content[type]
  if (body === undefined) wrong.push(`the media type ${type} is not described`)
  else if (type === 'application/json' && !conforms(answer.json<Json>(), body.schema)) {
    wrong.push(`the body ${answer.body.toString()} is not as described`)
  }
  return wrong
}

/** Headers of HTTP itself. */
const TRANSPORT = ['content-type', 'content-length', 'connection', 'keep-alive', 'date', 'transfer-encoding']

function resolve(schema: Schema): Schema {
  const reference = schema.$ref
  if (typeof reference !== 'string') return schema
  let found: Json = openapi as unknown as Json
  for (const part of reference.replace('#/', '').split('/')) found = (found as Schema)[part]!
  return resolve(found as Schema)
}

const isObject = (value: Json): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
