import { IMAGE_TYPES, TYPE_ALIASES, WILDCARD_TYPES } from '@pixpress/core'
import { COMPRESSED_TYPES, STORES, STORE_SERVICES, factsOf, isImageType } from '@pixpress/core/internal'
import type { StoreService } from '@pixpress/core/internal'
import template from '../openapi.json' with { type: 'json' }
import { commandMembers } from './store-command.ts'

type Json = null | boolean | number | string | readonly Json[] | JsonObject
interface JsonObject {
  readonly [key: string]: Json
}

/**
 * The interface as OpenAPI 3.1: openapi.json, with the types of images and the kinds of object storage that there are.
 */
export const OPENAPI: JsonObject = withImageTypes(complete(template as unknown as JsonObject))

function complete(document: JsonObject): JsonObject {
  const { components } = document as { components: { schemas: { Commands: { properties: JsonObject } } } }
  const { schemas } = components
  const { properties } = schemas.Commands
  const stores = STORE_SERVICES.map((service) => ({ $ref: `#/components/schemas/${schemaName(service)}` }))
  return {
    ...document,
    components: {
      ...components,
      schemas: {
        ...schemas,
        ...Object.fromEntries(STORE_SERVICES.map((service) => [schemaName(service), storeSchema(service)])),
        ImageType: { type: 'string', enum: [...IMAGE_TYPES] },
        InputType: { type: 'string', enum: [...COMPRESSED_TYPES] },
        ConvertType: convertType(),
        Commands: { ...schemas.Commands, properties: { ...properties, store: { oneOf: stores } } },
      },
    },
  }
}

/** The content `image/*` of an answer stands for every type that there is. */
function withImageTypes<T extends Json>(json: T): T {
  if (Array.isArray(json)) return json.map(withImageTypes) as unknown as T
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json as JsonObject).flatMap(([key, value]) =>
    key === 'image/*' ? IMAGE_TYPES.map((type) => [type, value] as const) : [[key, withImageTypes(value)] as const],
  )
  return Object.fromEntries(entries) as unknown as T
}

function convertType(): JsonObject {
  const aliases = Object.entries(TYPE_ALIASES).filter(([, type]) => isImageType(type))
  const others = aliases.map(([alias, type]) => `\`${alias}\` for \`${type}\``).join(', ')
  return {
    type: 'string',
    enum: [...IMAGE_TYPES, ...aliases.map(([alias]) => alias), '*/*'],
    description: `\`*/*\` stands for ${inWords(WILDCARD_TYPES.map((type) => factsOf(type).label))}; ${others}.`,
  }
}

function storeSchema(service: StoreService): JsonObject {
  const { required, optional } = commandMembers(service)
  const properties = [...required, ...optional].map((name) => [name, memberSchema(service, name)] as const)
  return {
    type: 'object',
    required: ['service', ...required],
    additionalProperties: false,
    properties: { service: { const: service }, ...Object.fromEntries(properties) },
  }
}

function memberSchema(service: StoreService, name: string): JsonObject {
  if (name === 'headers') return { $ref: '#/components/schemas/StoreHeaders' }
  const text = { type: 'string', minLength: 1 }
  if (name === 'path') return { ...text, description: '`<bucket>/<path>/<filename>`' }
  const { default: value, description } = STORES[service].members[name]!
  return { ...text, ...(value !== undefined && { default: value }), ...(description !== undefined && { description }) }
}

/** Returns a name such as `StoreS3`. */
function schemaName(service: string): string {
  return `Store${service.charAt(0).toUpperCase()}${service.slice(1)}`
}

/** Lists names as `AVIF, WebP and PNG`. */
function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
