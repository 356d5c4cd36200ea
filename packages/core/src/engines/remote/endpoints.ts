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

interface State {
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
  const states = new Map(urls.map((url): [Endpoint, State] => [{ url, name: nameOf(url) }, newState()]))
  const all = [...states.keys()]
  /** The endpoint of each image, by its digest: later requests on an upload go to where it is. */
  const homes = new Map<string, Endpoint>()
  const waiting = new Set<Waiting>()
  let entries = 0

  const stateOf = (endpoint: Endpoint): State => states.get(endpoint)!

  /** Returns a free place, `undefined` for none at the moment, `null` for none any more. */
  function choose({ digest, tried }: Waiting): Endpoint | undefined | null {
    const open = all.filter((each) => stateOf(each).problem === undefined && !tried.has(each))
    if (open.length === 0) return null
    const home = open.find((each) => each === homes.get(digest))
    const free = (home === undefined ? open : [home]).filter((each) => stateOf(each).active < places)
    return free.toSorted((a, b) => stateOf(a).active - stateOf(b).active || stateOf(a).last - stateOf(b).last)[0]
  }

  function serve(): void {
    for (const each of waiting) {
      const endpoint = choose(each)
      if (endpoint === undefined) continue
      waiting.delete(each)
      if (endpoint !== null) {
        const state = stateOf(endpoint)
        state.active++
        state.last = ++entries
        homes.set(each.digest, endpoint)
      }
      each.go(endpoint ?? undefined)
    }
  }

  function leave(endpoint: Endpoint, reason: string, said = reason): void {
    const state = stateOf(endpoint)
    if (state.problem !== undefined) return
    state.problem = reason
    if (all.some((each) => stateOf(each).problem === undefined)) onLeft(endpoint, said)
    serve()
  }

  return {
    all,
    enter: (digest, tried) =>
      new Promise((go) => {
        waiting.add({ digest, tried, go })
        serve()
      }),
    exit(endpoint) {
      stateOf(endpoint).active--
      serve()
    },
    succeeded(endpoint) {
      stateOf(endpoint).failures = 0
    },
    failed(endpoint, reason) {
      const state = stateOf(endpoint)
      state.failures++
      const often = `it failed ${MAX_FAILURES} times in a row`
      if (state.failures >= MAX_FAILURES) leave(endpoint, often, `${often}, at last with: ${reason}`)
    },
    leave: (endpoint, reason) => leave(endpoint, reason),
    problemOf: (endpoint) => stateOf(endpoint).problem,
    startBuild() {
      for (const state of states.values()) Object.assign(state, { failures: 0, problem: undefined })
    },
  }
}

const newState = (): State => ({ active: 0, failures: 0, problem: undefined, last: 0 })

function nameOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/\/+$/, '')
}
