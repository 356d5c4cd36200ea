import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

export const ROOT: string = path.resolve(import.meta.dirname, '../..')

/** The members of a manifest that these tests read. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly description?: string
  readonly homepage?: string
  readonly bugs?: { readonly url: string }
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string }
  readonly funding?: string
  readonly engines: { readonly node: string }
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const readText = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readText(path.join(folder, 'package.json'))) as Manifest

/** Folders of `packages` that are published. */
export const PUBLISHED_FOLDERS: readonly string[] = readdirSync(path.join(ROOT, 'packages')).filter(
  (folder) => readManifest(`packages/${folder}`).private !== true,
)
