import type { ImageDetails, InputType, ProbeResult } from '@pixpress/core'
import { resolveOperations, resultSize } from '@pixpress/core/internal'
import type { DirectiveRequest } from '../directives/resolve.ts'
import { renderModule } from '../directives/shapes.ts'

/**
 * The type of a value: one of some texts of TypeScript, or an object, whose members can still be merged with another's.
 */
export type ValueType = { readonly anyOf: readonly string[] } | { readonly members: ReadonlyMap<string, Member> }

interface Member {
  readonly type: ValueType
  readonly isOptional: boolean
}

/** The type of a module: its default export and the others. */
export interface ModuleType {
  readonly default: ValueType
  readonly named: ReadonlyMap<string, ValueType>
}

/** Describes what is known of an import before its images are made. */
export interface KnownImport {
  readonly request: DirectiveRequest
  readonly source: ProbeResult
  /** The types that each image can have, in the order of the variants. */
  readonly types: readonly (readonly InputType[])[]
  /** Tells whether modules export the members of objects by their names too. Default `true`. */
  readonly named?: boolean
}

/** Members that not every image has, with their types: one that cannot be decoded has no hash. */
const OPTIONAL: Readonly<Record<string, string>> = { hash: 'string', density: 'number', chromaSubsampling: 'string' }

const DETAILS: ImageDetails = {
  space: '',
  channels: 0,
  depth: '',
  density: 0,
  chromaSubsampling: '',
  hasProfile: false,
  isProgressive: false,
  hasAlpha: false,
}

/**
 * The type of an import's module: that of the very module that is made of it, so that the two never differ. Where the
 * engine chooses an image's type, every choice is tried, and what not every one of them has is optional.
 */
export async function typeOfModule(known: KnownImport): Promise<ModuleType> {
  const choices = new Set(known.types.filter((each) => each.length > 1).flat())
  const tried = choices.size === 0 ? [undefined] : [...choices]
  const made = await Promise.all(tried.map((choice) => typeOfChoice(known, choice)))
  return made.reduce(mergeModules)
}

async function typeOfChoice(
  { request, source, types, named: isNamed = true }: KnownImport,
  choice?: InputType,
): Promise<ModuleType> {
  // An output of the project's own may give anything.
  if (request.output.as === 'custom') return { default: text('any'), named: new Map() }
  const hasHash = 'lqip' in request.output && request.output.lqip?.endsWith('hash') === true
  const results = request.variants.map(({ operations }, index) => ({
    src: '""',
    ...resultSize(source, resolveOperations(operations)),
    type: types[index]!.find((type) => type === choice) ?? types[index]![0]!,
    size: 0,
    details: DETAILS,
    placeholder: { url: '', color: '', ...(hasHash && { hash: '' }) },
  }))
  const { default: value, ...named } = await evaluate(
    renderModule(request, results, source, { named: isNamed, weighs: false }),
  )
  return {
    default: typeOf(value),
    named: new Map(Object.entries(named).map(([name, each]) => [name, typeOfMember(name, each)])),
  }
}

const evaluated = new Map<string, Promise<Record<string, unknown>>>()

/** The exports of a module of literals. Node keeps every module that it loads, so equal ones are loaded once. */
function evaluate(code: string): Promise<Record<string, unknown>> {
  let exported = evaluated.get(code)
  if (exported === undefined) {
    exported = import(`data:text/javascript,${encodeURIComponent(code)}`) as Promise<Record<string, unknown>>
    evaluated.set(code, exported)
  }
  return exported
}

function typeOf(value: unknown): ValueType {
  if (Array.isArray(value)) return text(`[${value.map((each) => showType(typeOf(each))).join(', ')}]`)
  if (typeof value !== 'object' || value === null) return text(typeof value)
  const members = Object.entries(value).map(([name, each]): [string, Member] => [
    name,
    { type: typeOfMember(name, each), isOptional: name in OPTIONAL },
  ])
  return { members: new Map(members) }
}

/** The format is known to be one of these. */
function typeOfMember(name: string, value: unknown): ValueType {
  if (name in OPTIONAL) return text(OPTIONAL[name]!, 'undefined')
  return name === 'format' && typeof value === 'string' ? text(`'${value}'`) : typeOf(value)
}

const text = (...anyOf: readonly string[]): ValueType => ({ anyOf })

/** The type of a module that may be either: what both have is certain. */
export function mergeModules(one: ModuleType, other: ModuleType): ModuleType {
  const named = [...one.named].flatMap(([name, type]): [string, ValueType][] => {
    const others = other.named.get(name)
    return others === undefined ? [] : [[name, mergeTypes(type, others)]]
  })
  return { default: mergeTypes(one.default, other.default), named: new Map(named) }
}

function mergeTypes(one: ValueType, other: ValueType): ValueType {
  if (!('members' in one) || !('members' in other)) {
    return text(...new Set([one, other].flatMap((type) => ('anyOf' in type ? type.anyOf : [showType(type)]))))
  }
  const names = new Set([...one.members.keys(), ...other.members.keys()])
  const members = [...names].map((name): [string, Member] => {
    const [mine, theirs] = [one.members.get(name), other.members.get(name)]
    if (mine === undefined || theirs === undefined) return [name, { type: (mine ?? theirs)!.type, isOptional: true }]
    const isOptional = mine.isOptional || theirs.isOptional
    return [name, { type: mergeTypes(mine.type, theirs.type), isOptional }]
  })
  return { members: new Map(members) }
}

/** The type in TypeScript. */
export function showType(type: ValueType): string {
  if ('anyOf' in type) return type.anyOf.join(' | ')
  const members = [...type.members].map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
    return `${key}${member.isOptional ? '?' : ''}: ${showType(member.type)}`
  })
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}
