import type { RemoteAccount } from './client.ts'
import type { RemoteKeyUsage } from './usage.ts'

/** Bounds on the compressions of a service. */
export interface RemoteLimit {
  /** Compressions that one build may use, with all keys together. Default: no bound. */
  build?: number | undefined
  /** Compressions a month after which a key is not used any more, whoever used them. Default: no bound. */
  month?: number | undefined
}

/** Compressions set aside on one account for a request under way. */
export interface Reservation {
  readonly account: RemoteAccount
  /** The service has counted this many of them. */
  spend(compressions: number): void
  /**
   * The service may have counted this many: no answer tells. They are not the request's own, which is going to be made
   * again.
   */
  lose(compressions: number): void
  /** Gives back what was not spent. */
  release(): void
}

/** The account book of a build: it decides which account pays for a request, and whether anything is left. */
export interface Ledger {
  /**
   * Compressions on the first of these accounts that can afford them; or why there are none, as the end of a sentence.
   */
  reserve(compressions: number, among?: readonly RemoteAccount[]): Reservation | string
  /** This account is not used any more in this build. */
  bar(account: RemoteAccount, reason: string): void
  /** Tells whether none of these accounts is used any more in this build. */
  areBarred(accounts: readonly RemoteAccount[]): boolean
  /** Compressions used in this build. */
  readonly used: number
  /** Sums up the compressions of some accounts. */
  usedOn(accounts: readonly RemoteAccount[]): number
  /** Compressions that may have been used besides. */
  readonly lost: number
  /** Accounts of which it is not known what they used. */
  uncertain(): RemoteAccount[]
  /** The account's count is up to date: it tells what became of what was lost. */
  settle(account: RemoteAccount): void
  /** Compressions that the build's limit leaves; `null` without one. */
  readonly left: number | null
  keys(): RemoteKeyUsage[]
  /** Forgets the counts and bars of the build before. */
  startBuild(): void
}

interface Page {
  used: number
  reserved: number
  lost: number
  /** The account's count before this build, where it could be told apart from what the build has used. */
  before: number | undefined
  barred: string | undefined
}

/** The pages of all accounts, and the bounds. */
interface Book {
  readonly accounts: readonly RemoteAccount[]
  readonly pages: ReadonlyMap<RemoteAccount, Page>
  /**
   * The accounts of each key at all endpoints. Assumes that all endpoints of a key share one monthly count; only the
   * service knows.
   */
  readonly byKey: readonly (readonly RemoteAccount[])[]
  readonly build: number
  readonly month: number
}

/**
 * @param accounts one for each key, and of several endpoints one after the other, each with the same keys in the same
 * order
 * @param keys how many keys there are. Default: as many as accounts
 */
export function createLedger(
  accounts: readonly RemoteAccount[],
  { build = Infinity, month = Infinity }: RemoteLimit,
  keys: number = accounts.length,
): Ledger {
  const pages = new Map(accounts.map((account): [RemoteAccount, Page] => [account, emptyPage()]))
  const byKey = accounts.slice(0, keys).map((_, key) => accounts.filter((__, index) => index % keys === key))
  const book: Book = { accounts, pages, byKey, build, month }
  const pageOf = (account: RemoteAccount): Page => pages.get(account)!
  const used = (): number => sum(book, (page) => page.used)
  const lost = (): number => sum(book, (page) => page.lost)
  return {
    reserve: (compressions, among = accounts) => reserve(book, compressions, among),
    bar(account, reason) {
      pageOf(account).barred ??= reason
    },
    areBarred: (some) => some.every((account) => pageOf(account).barred !== undefined),
    get used() {
      return used()
    },
    usedOn: (some) => sum(book, (page) => page.used, some),
    get lost() {
      return lost()
    },
    uncertain: () => accounts.filter((account) => pageOf(account).lost > 0),
    settle: (account) => settle(account, pageOf(account)),
    get left() {
      return build === Infinity ? null : Math.max(0, build - used() - lost())
    },
    keys: () =>
      byKey.map((all) => ({
        key: all[0]!.name,
        compressions: sum(book, (page) => page.used, all),
        month: monthOf(all) ?? null,
        limit: month === Infinity ? null : month,
      })),
    startBuild() {
      // Requests under way give back themselves what they have set aside.
      for (const page of pages.values()) Object.assign(page, { used: 0, lost: 0, before: undefined, barred: undefined })
    },
  }
}

function reserve(book: Book, compressions: number, among: readonly RemoteAccount[]): Reservation | string {
  const { build, pages } = book
  if (sum(book, (page) => page.used + page.reserved + page.lost) + compressions > build) {
    return `the limit of ${build} compressions for a build is reached`
  }
  const objections = new Set<string>()
  for (const account of among) {
    const problem = objection(book, account, compressions)
    if (problem === undefined) return reservationOn(account, pages.get(account)!, compressions)
    objections.add(problem)
  }
  return [...objections].join('; ')
}

function objection(book: Book, account: RemoteAccount, compressions: number): string | undefined {
  const { pages, byKey, month } = book
  const { barred } = pages.get(account)!
  if (barred !== undefined) return barred
  const all = byKey.find((some) => some.includes(account))!
  // Where the service does not count for us, there is what we know ourselves.
  const known = monthOf(all) ?? sum(book, ({ used }) => used, all)
  const isOver = known + sum(book, ({ reserved }) => reserved, all) + compressions > month
  return isOver ? `the limit of ${month} compressions a month is reached` : undefined
}

function reservationOn(account: RemoteAccount, page: Page, compressions: number): Reservation {
  let open = compressions
  const close = (count: number): void => {
    open -= count
    page.reserved -= count
  }
  remember(account, page)
  page.reserved += open
  return {
    account,
    spend(count) {
      close(count)
      page.used += count
    },
    lose(count) {
      page.lost += count
    },
    release() {
      close(open)
      remember(account, page)
    },
  }
}

/** Updates an account's count once nothing is under way: it is the earlier count and the use since then. */
function remember({ client: { compressionCount } }: RemoteAccount, page: Page): void {
  if (page.reserved > 0 || page.lost > 0 || compressionCount === undefined) return
  page.before ??= compressionCount - page.used
}

function settle({ client: { compressionCount } }: RemoteAccount, page: Page): void {
  if (page.before === undefined || compressionCount === undefined) return
  // Others may use the account as well: no more is put down to this build than was lost.
  page.used += Math.min(page.lost, Math.max(0, compressionCount - page.before - page.used))
  page.lost = 0
}

/** Sums up a figure of the pages of some accounts. Default: of all. */
function sum(
  { accounts, pages }: Book,
  figure: (page: Page) => number,
  some: readonly RemoteAccount[] = accounts,
): number {
  return some.reduce((all, account) => all + figure(pages.get(account)!), 0)
}

/** The highest count of a key that an endpoint has told. */
function monthOf(accounts: readonly RemoteAccount[]): number | undefined {
  const told = accounts.flatMap(({ client }) => client.compressionCount ?? [])
  return told.length === 0 ? undefined : Math.max(...told)
}

const emptyPage = (): Page => ({ used: 0, reserved: 0, lost: 0, before: undefined, barred: undefined })
