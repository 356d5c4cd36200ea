import { detectType } from '@pixpress/core'
import type { ImageType, InputType } from '@pixpress/core'
import { createSingleFlight, engineVersions, resolveOperations, sha256 } from '@pixpress/core/internal'
import { HttpError, unavailable } from '../http/http-error.ts'
import type { UploadMemory } from '../http/upload-memory.ts'
import { toHttpError } from '../routes/failures.ts'
import type { ImageWork } from '../routes/image-work.ts'
import type { ServerSettings } from '../settings/settings.ts'
import { BackendUnavailableError } from '../storage/contract.ts'
import type { Leases } from '../storage/contract.ts'
import { errorFields } from '../telemetry/log.ts'
import type { Log } from '../telemetry/log.ts'
import type { DeliveredFrom } from '../telemetry/metrics.ts'
import { negotiated } from './negotiation.ts'
import { createOnce } from './once.ts'
import type { DeliveryRequest } from './operations.ts'
import type { ReadOriginal } from './originals.ts'
import { pictureOf } from './picture.ts'
import type { Picture, Shelf } from './picture.ts'
import { createRecent } from './recent.ts'

/** A picture that a URL asks for, by somebody who accepts these types. */
export interface Wanted {
  /** The operations as they stand in the URL, and in its preset. */
  readonly written: string
  readonly request: DeliveryRequest
  readonly source: readonly string[]
  /** Types that the client names; empty where the type is not negotiated. */
  readonly accepted: readonly ImageType[]
}

/** A picture, and how long it may be kept. */
export interface Kept {
  readonly picture: Picture
  /** Milliseconds since 1970 at which the original is looked at again. */
  readonly until: number
}

/** Finds pictures, or makes them. */
export interface Pictures {
  /** @throws HttpError and what the engine throws, the same again for ten seconds where it is the request's fault */
  get(wanted: Wanted): Promise<Kept>
}

/** The parts of the server that pictures are made and kept with. */
export interface PicturesParts {
  readonly work: Pick<ImageWork, 'run'>
  readonly memory: UploadMemory
  readonly read: ReadOriginal
  readonly shelf: Shelf
  readonly leases: Leases
  readonly limits: ServerSettings['limits']
  /** Milliseconds for which an original is taken to be the same. */
  readonly maxAge: number
  readonly log: Log
  readonly delivered: (from: DeliveredFrom) => void
  readonly clock: () => number
}

/** Bytes of pictures in memory. */
const IN_MEMORY = 64_000_000

/** Refusals that are remembered. */
const REFUSALS = 10_000

/** Milliseconds for which a refusal is remembered, here and in caches. */
export const REFUSED_FOR = 10_000

interface Refusal {
  readonly error: HttpError
  readonly until: number
}

/** Everything that the steps of one request share. */
interface State extends PicturesParts {
  readonly once: ReturnType<typeof createOnce>
  /** The engine and its limits, on which results depend beside the original and the operations. */
  readonly version: string
}

/**
 * Creates the pictures of a server: those in memory, those that are kept, and those that are made.
 *
 * A picture is kept by the bytes of its original and what was asked of them, so that it is made once whichever URLs ask
 * for it. For each request it is kept as well which picture answers it, under a name with the time in it that all
 * servers reckon alike: when `maxAge` is over it is another name, and the original is read again. Where that has not
 * changed, it leads to the picture that is there.
 */
export function createPictures(parts: PicturesParts): Pictures {
  const { limits, maxAge, clock, delivered } = parts
  const once = createOnce(parts.leases, 2 * limits.timeout)
  const state: State = { ...parts, once, version: JSON.stringify([engineVersions(), limits]) }
  const recent = createRecent<Kept>(IN_MEMORY, ({ picture }) => picture.data.length + 500)
  const refused = createRecent<Refusal>(REFUSALS, () => 1)
  const flights = createSingleFlight<Kept>()

  async function find(key: string, wanted: Wanted, until: number): Promise<Kept> {
    try {
      const kept = await findOrMake(key, wanted, until, state)
      recent.set(key, kept)
      return kept
    } catch (error) {
      const known = toHttpError(error)
      if (known.status < 500) refused.set(key, { error: known, until: clock() + REFUSED_FOR })
      throw known
    }
  }

  return {
    async get(wanted) {
      const now = clock()
      const { source, written, accepted } = wanted
      const [name] = source
      const offset = offsetOf(source, maxAge)
      const period = name === 'output' ? 0 : Math.floor((now + offset) / maxAge)
      const until = name === 'output' ? now + maxAge : (period + 1) * maxAge - offset
      const key = JSON.stringify([source, written, accepted, period])
      const kept = recent.get(key)
      if (kept !== undefined && kept.until > now) {
        delivered('memory')
        return kept
      }
      const refusal = refused.get(key)
      if (refusal !== undefined && refusal.until > now) throw refusal.error
      return flights.run(key, () => find(key, wanted, until))
    },
  }
}

/** The account that delivered pictures are worked on for: all pages together take turns with the other accounts. */
const DELIVERY = '(delivery)'

/** Spreads the times at which originals are looked at, so that it is not all of them at once. */
function offsetOf(source: readonly string[], maxAge: number): number {
  let hash = 0
  for (const segment of source)
    for (let i = 0; i < segment.length; i++) hash = (Math.imul(hash, 31) + segment.charCodeAt(i)) >>> 0
  return hash % maxAge
}

async function findOrMake(key: string, wanted: Wanted, until: number, state: State): Promise<Kept> {
  const { shelf, version, clock, delivered } = state
  const name = sha256(Buffer.from(`${version}\n${key}`))
  const answer = await unlessAway(shelf.answer(name), state)
  if (answer !== undefined && (answer.expiresAt ?? Number.POSITIVE_INFINITY) > clock()) {
    const picture = await unlessAway(shelf.picture(answer.picture), state)
    if (picture !== undefined) {
      delivered('storage')
      return { picture, until: Math.min(until, answer.expiresAt ?? until) }
    }
  }
  const memory = state.memory.open(DELIVERY)
  try {
    const { maxBytes } = state.limits
    const { bytes, expiresAt } = await state.read(wanted.source, { maxBytes, memory })
    const { picture, called } = await pictureFrom(bytes, wanted, state)
    await unlessAway(shelf.keepAnswer(name, { picture: called, expiresAt: expiresAt ?? null }), state)
    return { picture, until: Math.min(until, expiresAt ?? until) }
  } finally {
    memory.release()
  }
}

/** Finds the picture that is made of these bytes, or makes it, once over all servers. */
async function pictureFrom(
  bytes: Uint8Array,
  { request, accepted }: Wanted,
  state: State,
): Promise<{ picture: Picture; called: string }> {
  const { shelf, work, once, version, delivered } = state
  const operations = negotiated(request, deliverableType(bytes), accepted)
  const called = sha256(Buffer.from(JSON.stringify([version, resolveOperations(operations), sha256(bytes)])))
  const picture = await once<Picture>({
    name: `delivery:${called}`,
    async find() {
      const found = await unlessAway(shelf.picture(called), state)
      if (found !== undefined) delivered('storage')
      return found
    },
    async make() {
      // Others may wait for it too, so it is made even if the first of them has hung up.
      const { data, info } = await work.run(bytes, operations, { account: DELIVERY, assertWanted: () => undefined })
      const made = pictureOf(data, info.type)
      await unlessAway(shelf.keepPicture(called, made), state)
      delivered('made')
      return made
    },
  })
  return { picture, called }
}

function deliverableType(bytes: Uint8Array): InputType {
  const type = bytes.length === 0 ? undefined : detectType(bytes)
  if (type !== undefined && type !== 'image/svg+xml') return type
  const what = type === undefined ? 'is not an image of a known type' : 'is an SVG, which is not delivered'
  throw new HttpError('UnsupportedMediaType', `The original of this picture ${what}.`)
}

/** The storage makes things cheaper, and is not needed for any of them. */
async function unlessAway<T>(work: Promise<T>, { log }: State): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    log.warn('delivered without storage', errorFields(unavailable('The storage is away.', error)))
    return undefined
  }
}
