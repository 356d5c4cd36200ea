import type { CompressionCounts, KeyStore, Leases, OutputRecords } from '../contract.ts'

/** The records of a machine, with what a sweep needs. */
export interface LocalRecords extends OutputRecords {
  /** Ids whose time is over, the oldest first, at most `limit`. */
  expired(now: number, limit: number): string[]
  has(id: string): boolean
  remove(id: string): void
}

/** All that a machine keeps besides bytes. */
export interface LocalTables {
  /** The name of the back end in logs. */
  readonly name: string
  readonly keys: KeyStore
  readonly counts: CompressionCounts
  readonly records: LocalRecords
  readonly leases: Leases
  /** @throws BackendUnavailableError */
  assertOpen(): void
  close(): void
}
