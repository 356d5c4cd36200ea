import { describeFlags } from '@pixpress/core/internal'
import type { Flag } from '@pixpress/core/internal'
import { DEFAULT_VIEWPORTS } from '@pixpress/audit'

type Valued = Flag & { readonly value: string }
type Switch = Flag & { readonly value?: never }

/** Bytes too many that are worth a finding where nothing else is said: about what a request costs. */
export const LEAST_WASTE = '4kB'

interface AuditFlags {
  readonly viewports: Valued
  readonly pages: Valued
  readonly 'min-waste': Valued
  readonly base: Valued
  readonly sources: Valued
  readonly write: Switch
  readonly 'dry-run': Switch
  readonly json: Switch
  readonly help: Switch
}

/** Flags of `pixpress audit`. */
export const AUDIT_FLAGS: Readonly<Record<string, Flag>> & AuditFlags = {
  viewports: {
    value: 'LIST',
    description: `widths of windows, with commas: \`390\`, \`1280@2\` for two pixels each, \`390x844@3\` (default \`${DEFAULT_VIEWPORTS}\`)`,
  },
  pages: {
    value: 'N',
    description:
      'pages to look at: of a folder the first (default: all), of a URL with the pages that it links to (default 20)',
  },
  'min-waste': {
    value: 'SIZE',
    description: `bytes too many that are worth a finding (default \`${LEAST_WASTE}\`)`,
  },
  base: {
    value: 'PATH',
    description: 'with a folder: the path below which the site expects to be, as `/docs/` (default `/`)',
  },
  sources: {
    value: 'DIR',
    description: 'folder of the project that the pages are made of (default: the nearest with a package.json)',
  },
  write: {
    description:
      'does what is advised where that is certain, in the texts of the project, and keeps the widths that are drawn in `pixpress.audit.json`, for `w=auto`',
  },
  'dry-run': { short: 'n', description: 'with `--write`: shows what would be written' },
  json: { description: 'prints the findings as JSON' },
  help: { short: 'h', description: 'this text' },
}

/** Help of `pixpress audit`. */
export const AUDIT_HELP: string = `Looks at the pages of a site in Chromium, and says what is wrong with their images and what to write.

  pixpress audit <folder or URL of this machine> [options]

A folder is served on 127.0.0.1 meanwhile. Nothing is loaded from other machines. The browser is that of CHROME_PATH, else
the Chromium, Chrome or Edge that is installed.

${describeFlags(AUDIT_FLAGS)}

Exit codes: 0 all is well, 1 some pages could not be looked at, 2 wrong usage, 3 something was found.
`
