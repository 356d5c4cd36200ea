import { invalidOption } from '@pixpress/core/internal'

/**
 * Returns the origins whose pages may call the interface from browsers, as browsers write them.
 * @throws PixpressError `INVALID_OPTION`
 */
export function parseOrigins(option: string, entries: readonly string[]): readonly string[] {
  return entries.map((entry) => {
    const { protocol, origin } = URL.canParse(entry) ? new URL(entry) : {}
    const isOrigin = (protocol === 'https:' || protocol === 'http:') && [origin, `${origin}/`].includes(entry)
    if (isOrigin) return origin!
    throw invalidOption(option, "origins such as 'https://www.example.com'", entry)
  })
}
