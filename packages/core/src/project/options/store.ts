import { PixpressError } from '../../base/errors.ts'
import type { ImageStoreOptions } from '../../objects/image-store-options.ts'
import type { ProjectOption } from './option.ts'

interface StoreOption {
  /** Builds put the images of scripts, stylesheets and pages into object storage, and refer to them there. */
  store?: ImageStoreOptions
}

/** The row of `store`. */
export const store: ProjectOption<StoreOption> = {
  place: 260,
  parser: {
    schema: { type: 'object' },
    parse(value, option) {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ImageStoreOptions
      // The value is not shown, as it may be a credential.
      throw new PixpressError('INVALID_OPTION', `Expected an object for '${option}'.`)
    },
  },
  shownDefault: 'none',
  doc: 'builds put their images [into object storage](stores.md) and refer to them there',
  flags: {
    store: {
      description: "puts every result into [the configuration's `store`](stores.md) as well, and prints its URL",
    },
  },
}
