import { invalidOption } from '../../base/errors.ts'
import { allowedUrls } from '../../net/url-patterns.ts'
import type { DefaultedOption } from './option.ts'

interface RemoteImagesOption {
  /**
   * Images of other servers that become files of the build: patterns of their URLs, such as
   * `https://images.example.com/photos/**`. `*` stands for a part of a path, `**` for any number of them, and `*.`
   * before a host for one or more names. `http:` is for this machine alone. Default: none, and nothing is fetched.
   */
  remoteImages?: readonly string[]
}

/** The row of `remoteImages`. */
export const remoteImages: DefaultedOption<RemoteImagesOption> = {
  place: 105,
  parser: {
    schema: { type: 'array', items: { type: 'string', minLength: 1 } },
    parse(value, option) {
      const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
      if (!isList) throw invalidOption(option, 'a list of URLs with wildcards', value)
      allowedUrls(option, value)
      return value
    },
  },
  default: () => [],
  shownDefault: 'none',
  doc: "[images of other servers](remote-images.md) that become files of the build, by patterns of their URLs: `['https://images.example.com/photos/**']`",
}
