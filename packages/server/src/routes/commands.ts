import { INTERFACE_RESIZE, INTERFACE_TRANSFORM, resolveOperations } from '@pixpress/core/internal'
import type { Operations } from '@pixpress/core'
import { asObject, assertKnownKeys, refusedAsBadRequest } from '../http/json.ts'
import { parseStoreCommand } from './store-command.ts'
import type { StoreCommand } from './store-command.ts'

/** The commands of a request on an output resource. */
export interface Commands {
  readonly operations: Operations
  readonly store: StoreCommand | undefined
  /** All of them, for keys that may not be used for each. */
  readonly named: readonly ((typeof OPERATIONS)[number] | 'shrink' | 'store')[]
  /** One for each that is counted. Filling and preserving metadata are not. */
  readonly counted: readonly ('shrink' | 'resize' | 'convert' | 'store')[]
  /** The request asks for the compressed image as it is. */
  readonly unchanged: boolean
}

const OPERATIONS = ['resize', 'convert', 'transform', 'preserve'] as const
const COUNTED = ['resize', 'convert', 'store'] as const

/** A request without commands. */
export const NO_COMMANDS: Commands = { operations: {}, store: undefined, named: [], counted: [], unchanged: true }

/**
 * Parses the JSON body of a request on an output resource: any of the commands, in any order.
 * @throws HttpError `BadRequest` naming the key and what is allowed
 */
export function parseCommands(body: unknown): Commands {
  const given = asObject('The body', body)
  assertKnownKeys('', given, [...OPERATIONS, 'store'])
  const operations: Record<string, unknown> = {}
  for (const name of OPERATIONS) if (given[name] !== undefined) operations[name] = given[name]
  refusedAsBadRequest(() => {
    // The engine knows more than the interface has words for.
    if (operations['resize'] !== undefined) INTERFACE_RESIZE.parse(operations['resize'], 'resize')
    if (operations['transform'] !== undefined) INTERFACE_TRANSFORM.parse(operations['transform'], 'transform')
  })
  refusedAsBadRequest(() => resolveOperations(operations as Operations))
  return {
    operations,
    store: given.store === undefined ? undefined : parseStoreCommand(asObject("'store'", given.store)),
    named: [...OPERATIONS, 'store' as const].filter((name) => given[name] !== undefined),
    counted: COUNTED.filter((name) => given[name] !== undefined),
    unchanged: Object.keys(operations).length === 0,
  }
}
