/** An address of the service. */
export interface Endpoint {
  /** Base URL, as it was given. */
  readonly url: string
  /** The host, and the path where there is one. Endpoints of one name may be asked alike. */
  readonly name: string
}

/** Where each image of a build goes, when an endpoint is left, and who waits for whom. */
export interface Endpoints {
  readonly all: readonly Endpoint[]
  /**
   * Waits for a free place: at the endpoint that has the image already, else at the one with the most free places, of
   * equal ones at that which was given an image the longest ago. Those who wait are served in their order.
   * @param digest of the image
   * @param tried endpoints that this image is not to go to
   * @returns `undefined` where there is none left for it
   */
  enter(digest: string, tried: ReadonlyMap<Endpoint, string>): Promise<Endpoint | undefined>
  /** Gives the place back. */
  exit(endpoint: Endpoint): void
  succeeded(endpoint: Endpoint): void
  /** Counts a failure; several in a row, and it is left. @param reason the end of a sentence */
  failed(endpoint: Endpoint, reason: string): void
  /** It is asked nothing more in this build. @param reason the end of a sentence */
  leave(endpoint: Endpoint, reason: string): void
  /** Returns the reason why it was left; `undefined` where it was not. */
  problemOf(endpoint: Endpoint): string | undefined
  /** Endpoints that were left may be asked again. */
  startBuild(): void
}

/** Failures of an endpoint in a row after which it is not asked any more in a build. */
const MAX_FAILURES = 3

interface Load {
  active: number
  failures: number
  problem: string | undefined
  /** The number of the entry that came here last. */
  last: number
}

interface Waiting {
  readonly digest: string
  readonly tried: ReadonlyMap<Endpoint, string>
  readonly go: (endpoint: Endpoint | undefined) => void
}

/** The state of all endpoints in a build. */
interface State {
  readonly loads: ReadonlyMap<Endpoint, Load>
  /** The endpoint of each image, by its digest: later requests on an upload go to where it is. */
  readonly homes: Map<string, Endpoint>
  readonly waiting: Set<Waiting>
  entries: number
  readonly places: number
  readonly onLeft: (endpoint: Endpoint, reason: string) => void
}

/**
 * @param urls base URLs, each another one
 * @param places images at one endpoint at once
 * @param onLeft told when an endpoint is left while others are not
 */
export function createEndpoints(
  urls: readonly string[],
  places: number,
  onLeft: (endpoint: Endpoint, reason: string) => void,
): Endpoints {
  const loads = new Map(urls.map((url): [Endpoint, Load] => [{ url, name: nameOf(url) }, newLoad()]))
  const state: State = { loads, homes: new Map(), waiting: new Set(), entries: 0, places, onLeft }
  const loadOf = (endpoint: Endpoint): Load => loads.get(endpoint)!
  return {
    all: [...loads.keys()],
    enter: (digest, tried) =>
      new Promise((go) => {
        state.waiting.add({ digest, tried, go })
        serve(state)
      }),
    exit(endpoint) {
      loadOf(endpoint).active--
      serve(state)
    },
    succeeded(endpoint) {
      loadOf(endpoint).failures = 0
    },
    failed(endpoint, reason) {
      const load = loadOf(endpoint)
      load.failures++
      const often = `it failed ${MAX_FAILURES} times in a row`
      if (load.failures >= MAX_FAILURES) leave(state, endpoint, often, `${often}, at last with: ${reason}`)
    },
    leave: (endpoint, reason) => leave(state, endpoint, reason),
    problemOf: (endpoint) => loadOf(endpoint).problem,
    startBuild() {
      for (const load of loads.values()) Object.assign(load, { failures: 0, problem: undefined })
    },
  }
}

/** Returns a free place, `undefined` for none at the moment, `null` for none any more. */
function choose({ loads, homes, places }: State, { digest, tried }: Waiting): Endpoint | undefined | null {
  const open = [...loads].filter(([endpoint, { problem }]) => problem === undefined && !tried.has(endpoint))
  if (open.length === 0) return null
  const home = open.find(([endpoint]) => endpoint === homes.get(digest))
  const free = (home === undefined ? open : [home]).filter(([, { active }]) => active < places)
  return free.toSorted(([, a], [, b]) => a.active - b.active || a.last - b.last)[0]?.[0]
}

/** Lets in everybody for whom there is a place, and sends away those for whom there is none any more. */
function serve(state: State): void {
  const { loads, homes, waiting } = state
  for (const each of waiting) {
    const endpoint = choose(state, each)
    if (endpoint === undefined) continue
    waiting.delete(each)
    if (endpoint !== null) {
      const load = loads.get(endpoint)!
      load.active++
      load.last = ++state.entries
      homes.set(each.digest, endpoint)
    }
    each.go(endpoint ?? undefined)
  }
}

/** @param said the reason as `onLeft` is told it */
function leave(state: State, endpoint: Endpoint, reason: string, said: string = reason): void {
  const load = state.loads.get(endpoint)!
  if (load.problem !== undefined) return
  load.problem = reason
  if ([...state.loads.values()].some(({ problem }) => problem === undefined)) state.onLeft(endpoint, said)
  serve(state)
}

const newLoad = (): Load => ({ active: 0, failures: 0, problem: undefined, last: 0 })

function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/\/+$/, '')
}
