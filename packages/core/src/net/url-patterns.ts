import { invalidOption } from '../base/errors.ts'
import { isLoopback } from './url.ts'

/** Tells whether a URL is one of those that are allowed. */
export type AllowsUrl = (url: URL) => boolean

const EXPECTED =
  "a URL such as 'https://images.example.com/photos/**', whose host may begin with '*.'; 'http:' is for this machine alone"

/** Scheme, host with its port, and path of a pattern. */
const PATTERN = /^(https?):\/\/((?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:.]+\])(:\d{1,5})?(\/[^?#]*)?$/i

/**
 * Makes the test of URLs from patterns: `*` in a path stands for a part between slashes, or some of it, and `**` for
 * any number of them; `*.` before a host for one or more names. A pattern without a path means the whole host. Queries
 * are not looked at, and a URL with a user or password is never allowed.
 * @param option its name in messages
 * @throws PixpressError `INVALID_OPTION`
 */
export function allowedUrls(option: string, patterns: readonly string[]): AllowsUrl {
  const tests = patterns.map((pattern, index) => testOf(`${option}[${index}]`, pattern))
  return (url) => url.username === '' && url.password === '' && tests.some((test) => test(url))
}

function testOf(option: string, pattern: string): AllowsUrl {
  const [, scheme = '', host = '', port = '', path = '/**'] = PATTERN.exec(pattern) ?? []
  const isWild = host.startsWith('*.')
  const name = isWild ? host.slice(2) : host
  // `*.com` would mean half of the internet.
  if (host === '' || (isWild && !name.includes('.'))) throw invalidOption(option, EXPECTED, pattern)
  const protocol = `${scheme.toLowerCase()}:`
  if (protocol === 'http:' && !isLoopback(name)) throw invalidOption(option, EXPECTED, pattern)
  // The spelling of URLs: small letters, no usual port, percent escapes.
  const spelt = new URL(`${protocol}//${name}${port}`)
  const matchesPath = pathTest(path)
  return (url) =>
    url.protocol === protocol &&
    url.port === spelt.port &&
    (isWild ? url.hostname.endsWith(`.${spelt.hostname}`) : url.hostname === spelt.hostname) &&
    matchesPath.test(url.pathname)
}

function pathTest(path: string): RegExp {
  const parts = path.split(/(\/\*\*(?=\/|$)|\*)/)
  const source = parts.map((part) => {
    if (part === '/**') return String.raw`(?:/.*)?`
    if (part === '*') return '[^/]*'
    return new URL(`https://a${part.startsWith('/') ? '' : '/'}${part}`).pathname
      .slice(part.startsWith('/') ? 0 : 1)
      .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${source.join('')}$`)
}
