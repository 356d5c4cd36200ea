/**
 * Object stores. Each has a file for its own part (`service`, its members, its default URL, what authorises a request)
 * and a line in services.ts; client.ts sends requests to all of them, and store.ts is where the path of an image to its
 * store begins.
 */
import { listed } from '../options/parsers.ts'
import type { MemberFacts, ObjectStore } from './contract.ts'
import * as SERVICES from './services.ts'

type Services = typeof SERVICES
type OptionsOf<Store> = Store extends ObjectStore<infer Options> ? Options : never

/** A value of `service`. */
export type StoreService = keyof Services

/** The options of any store. */
export type StoreOptions = OptionsOf<Services[StoreService]>

/** A store as seen by code that is written for all of them. */
export type AnyStore = Omit<ObjectStore<StoreOptions>, 'members'> & {
  readonly members: Readonly<Record<string, MemberFacts>>
}

/** All values of `service`, by the alphabet. */
export const STORE_SERVICES: readonly StoreService[] = Object.keys(SERVICES).sort() as StoreService[]

/** Each takes the options of its own `service` only. */
export const STORES: Readonly<Record<StoreService, AnyStore>> = SERVICES as never

/** The values of `service` in words, for errors. */
export const SERVICES_IN_WORDS: string = listed(STORE_SERVICES)

/** Tells whether a value is a known `service`. */
export function isStoreService(service: unknown): service is StoreService {
  return (STORE_SERVICES as readonly unknown[]).includes(service)
}

/** Returns the members that the options of a store may have. */
export function membersOf(service: StoreService): string[] {
  return ['service', ...Object.keys(STORES[service].members), 'path', 'headers', 'endpoint']
}
