import { engineVersions } from '../../base/versions.ts'
import { requireCodecs } from '../load-codecs.ts'

/** The day on which the table was last compared with the projects' own advisories; SECURITY.md says how often. */
export const ADVISORIES_OF = '2026-11-24'

/** A published vulnerability of a library that reads images here. */
export interface Advisory {
  /** The library's name. */
  readonly library: string
  /** How sharp calls it among its versions; `svgo` is a package of its own. */
  readonly key: string
  /** The first version without it. */
  readonly fixed: string
  /** The day on which it was published. */
  readonly published: string
  readonly ids: readonly string[]
}

/** An advisory of an installed version. */
export interface KnownAdvisory extends Advisory {
  readonly installed: string
}

/** The installed libraries that read images, and what is known of them. */
export interface InstalledAdvisories {
  /** The versions that were looked up, of each library by its name. */
  readonly versions: Readonly<Record<string, string>>
  readonly known: readonly KnownAdvisory[]
}

/**
 * Advisories that a file of a type that is read here can reach; those of other types, of encoders that are not used and
 * of options that are not set are left out. Rows of one library stand from the newest version to the oldest.
 */
export const ADVISORIES: readonly Advisory[] = [
  {
    library: 'libvips',
    key: 'vips',
    fixed: '8.18.3',
    published: '2026-07-21',
    ids: ['CVE-2026-33327', 'CVE-2026-33328', 'CVE-2026-35590', 'CVE-2026-35591', 'CVE-2026-69242'],
  },
  {
    library: 'libheif',
    key: 'heif',
    fixed: '1.23.5',
    published: '2026-09-21',
    ids: ['GHSA-v8qw-hwjv-44hw', 'GHSA-qwpf-5wf7-r996', 'GHSA-9c75-9g8r-4728', 'GHSA-r7gr-2xm2-23wf'],
  },
  {
    library: 'libheif',
    key: 'heif',
    fixed: '1.23.3',
    published: '2026-09-02',
    ids: ['GHSA-x8r2-mggj-j6wr', 'GHSA-w7mc-p8jc-p853'],
  },
  {
    library: 'libheif',
    key: 'heif',
    fixed: '1.23.2',
    published: '2026-08-25',
    ids: ['GHSA-g89c-p67h-r497', 'GHSA-2jg2-4ch7-h545'],
  },
  {
    library: 'libheif',
    key: 'heif',
    fixed: '1.22.0',
    published: '2026-05-19',
    ids: ['CVE-2026-32738', 'CVE-2026-32882'],
  },
  { library: 'libpng', key: 'png', fixed: '1.6.57', published: '2026-04-09', ids: ['CVE-2026-34757'] },
  {
    library: 'libpng',
    key: 'png',
    fixed: '1.6.56',
    published: '2026-03-26',
    ids: ['CVE-2026-33416', 'CVE-2026-33636'],
  },
  { library: 'libwebp', key: 'webp', fixed: '1.3.2', published: '2023-09-12', ids: ['CVE-2023-4863'] },
  { library: 'svgo', key: 'svgo', fixed: '4.0.1', published: '2026-03-04', ids: ['CVE-2026-29074'] },
]

/** Returns the advisories of some versions, of each library by its key. A version that is not numbers has none. */
export function advisoriesOf(versions: Readonly<Record<string, string | number>>): KnownAdvisory[] {
  return ADVISORIES.flatMap((advisory) => {
    const installed = String(versions[advisory.key] ?? '')
    return /^\d/.test(installed) && isOlder(installed, advisory.fixed) ? [{ ...advisory, installed }] : []
  })
}

/**
 * Looks up the libraries that are installed here. Nothing is asked of the network.
 * @throws PixpressError `MACHINE_UNFIT` where sharp or svgo is not installed
 */
export async function installedAdvisories(): Promise<InstalledAdvisories> {
  const { svgo } = engineVersions()
  await requireCodecs()
  const { default: sharp } = await import('sharp')
  const all: Readonly<Record<string, string | number | undefined>> = { ...sharp.versions, svgo }
  const named = ADVISORIES.map(({ library, key }) => [library, String(all[key] ?? 'unknown')] as const)
  return { versions: Object.fromEntries(named), known: advisoriesOf(all as Record<string, string | number>) }
}

function isOlder(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0))
  for (const [at, part] of second!.entries()) {
    const difference = (first![at] ?? 0) - part
    if (difference !== 0) return difference < 0
  }
  return false
}
