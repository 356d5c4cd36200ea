/**
 * The list of object stores. Each store has a file for its own part (`service`, its members, its default URL, its
 * requests); store.ts has the part that they share, where the path of an image to its store begins.
 */
import type { MemberFacts, ObjectStore } from './contract.ts'
import { gcs } from './gcs.ts'
import { s3 } from './s3.ts'

/** The stores by the `service` of their options, in the order of the documents. */
const LIST: { readonly s3: typeof s3; readonly gcs: typeof gcs } = { s3, gcs }

type List = typeof LIST
type OptionsOf<Store> = Store extends ObjectStore<infer Options> ? Options : never

/** A value of `service`. */
export type StoreService = keyof List

/** The options of any store. */
export type StoreOptions = OptionsOf<List[StoreService]>

/** A store as seen by code that is written for all of them. */
export type AnyStore = Omit<ObjectStore<StoreOptions>, 'members'> & {
  readonly members: Readonly<Record<string, MemberFacts>>
}

/** Each takes the options of its own `service` only. */
export const STORES: Readonly<Record<StoreService, AnyStore>> = LIST as never

/** All values of `service`. */
export const STORE_SERVICES: readonly StoreService[] = Object.keys(LIST) as StoreService[]

/** `'s3' or 'gcs'`, for errors. */
export const SERVICES_IN_WORDS: string = STORE_SERVICES.map((service) => `'${service}'`).join(' or ')

/** Tells whether a value is a known `service`. */
export function isStoreService(service: unknown): service is StoreService {
  return (STORE_SERVICES as readonly unknown[]).includes(service)
}

/** Returns the members that the options of a store may have. */
export function membersOf(service: StoreService): string[] {
  return ['service', ...Object.keys(STORES[service].members), 'path', 'headers', 'endpoint']
}
