import { invalidOption } from '../../base/errors.ts'
import type { RemoteOptions } from '../../engines/remote/options.ts'
import type { DefaultedOption } from './option.ts'

interface EngineOption {
  /** Where images are worked on: `local` (default), or a service of the remote interface. */
  engine?: 'local' | RemoteOptions
}

/** The row of `engine`. */
export const engine: DefaultedOption<EngineOption> = {
  place: 250,
  parser: {
    schema: { anyOf: [{ const: 'local' }, { type: 'object' }] },
    parse(value, option) {
      if (value === 'local' || (typeof value === 'object' && value !== null)) return value as 'local' | RemoteOptions
      throw invalidOption(option, "'local' or an object", value)
    },
  },
  default: () => 'local',
  shownDefault: "`'local'`",
  doc: 'where images are worked on: this machine, or [a service](remote.md) `{ endpoint, key }`, of one address or several',
  flags: {
    engine: {
      value: 'URL[,URL…]',
      description:
        '[a service](remote.md) instead of this machine, or several addresses of one; `local` overrules the configuration',
      choices: ['local'],
    },
    key: {
      value: 'KEY',
      description: "the service's API key; better in the variable, which others on the machine cannot see",
      variable: 'PIXPRESS_KEY',
    },
  },
}
