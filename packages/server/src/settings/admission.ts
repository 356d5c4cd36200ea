import { availableMemory, invalidOption } from '@pixpress/core/internal'
import { FLAGS } from './flags.ts'
import type { GivenSettings, NameOf } from './flags.ts'
import { parseBytes, parsePeriod, parseWhole } from './units.ts'

/** Who may wait for what, and under which names the server answers. Times in milliseconds, sizes in bytes. */
export interface AdmissionSettings {
  /** Images that may wait for their turn. */
  readonly queue: number
  /** Time that an image may wait for its turn. */
  readonly maxWait: number
  /** Bytes that images at work may take together, decoded. One that takes more is worked on alone. */
  readonly workMemory: number
  /** Shares of accounts in the work, relative to each other, by name. Others have 1. */
  readonly weights: ReadonlyMap<string, number>
  /** Hosts, with a port where it is not the scheme's, that `Location` may repeat from a request. */
  readonly allowedHosts: ReadonlySet<string>
}

/** The most that images at work take by default. Measured (bench/server-fairness.mjs). */
const MOST_MEMORY = 512 * 1024 * 1024

/** Hosts and accounts that may be listed: each request looks through them. */
const MOST_LISTED = 1000

/** @throws PixpressError `INVALID_OPTION` */
export function resolveAdmission(given: GivenSettings, nameOf: NameOf): AdmissionSettings {
  return {
    queue: parseWhole(nameOf('queue'), given.queue ?? FLAGS.queue.value, 0),
    maxWait: parsePeriod(nameOf('max-wait'), given['max-wait'] ?? FLAGS['max-wait'].value),
    workMemory:
      given['work-memory'] === undefined
        ? Math.min(MOST_MEMORY, Math.floor(availableMemory() / 4))
        : parseBytes(nameOf('work-memory'), given['work-memory']),
    weights: new Map(listed(nameOf('weight'), given.weight).map((text) => parseWeight(nameOf('weight'), text))),
    allowedHosts: new Set(
      listed(nameOf('allow-host'), given['allow-host']).map((text) => parseHost(nameOf('allow-host'), text)),
    ),
  }
}

function listed(option: string, text: string = ''): string[] {
  const list = text.split(/[\s,]+/).filter((word) => word !== '')
  if (list.length > MOST_LISTED) throw invalidOption(option, `at most ${MOST_LISTED} of them`, list.length)
  return list
}

function parseWeight(option: string, text: string): readonly [string, number] {
  const [, account, weight] = /^([\w.-]{1,64})=(\d{1,3})$/.exec(text) ?? []
  const value = Number(weight)
  if (account === undefined || !(value >= 1)) {
    throw invalidOption(option, "the name of an account and a whole number from 1 to 999 such as 'shop=3'", text)
  }
  return [account, value]
}

/** Returns a host as URLs have it: in small letters. */
function parseHost(option: string, text: string): string {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined
  const isHost = url !== undefined && url.pathname === '/' && !/[/?#@]/.test(text)
  if (!isHost) throw invalidOption(option, "a host such as 'images.example.com' or 'localhost:9000'", text)
  return url.host
}
