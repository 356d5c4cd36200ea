import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Edit } from '@pixpress/migrate/script'

/** The opening tag of an element in a text. */
interface FoundTag {
  readonly attributes: readonly {
    readonly name: string
    readonly value: string | undefined
    readonly quote: '"' | "'" | '{' | ''
  }[]
}

/** A place of a text that refers to an image, as the plugin's `Target`. */
export interface FoundTarget {
  readonly kind: 'html' | 'css' | 'import' | 'public' | 'element' | 'template'
  /** None where the image is computed. */
  readonly urls: readonly { readonly url: string; readonly start: number }[]
  /** The `<img>` that shows it, where that is certain. */
  readonly tag?: FoundTag
}

/** The parts that a wish can have. */
export type WishPart = 'widths' | 'sizes' | 'format' | 'attributes'

/** The change that is wished for an image at a place. */
export interface Wish {
  /** Pixels of the device, the narrowest first. */
  readonly widths?: readonly number[]
  /** Pixels of the source across. */
  readonly most?: number
  /**
   * Widths for places that choose by media queries: those of the window in pixels of CSS, and of the image in pixels of
   * the device.
   */
  readonly windows?: readonly { readonly window: number; readonly width: number }[]
  readonly sizes?: string
  readonly format?: 'webp'
  /** `null` takes one away. */
  readonly attributes?: Readonly<Record<string, string | null>>
}

/** The text to write at a place. */
interface FoundAdvice {
  readonly kind: FoundTarget['kind']
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly edits: readonly Edit[]
  readonly done: readonly WishPart[]
  readonly left: readonly WishPart[]
}

/**
 * The functions of `unplugin-pixpress/internal` that are used here: the parsers that read the project's texts in a
 * build.
 */
export interface AdvicePlugin {
  findTargets(file: string, text: string): FoundTarget[]
  findElements(file: string, text: string): FoundTarget[]
  adviseOn(file: string, text: string, target: FoundTarget, wish: Wish): FoundAdvice | undefined
}

/** Packages that build a project's images. */
const OURS = ['unplugin-pixpress', '@pixpress/astro', '@pixpress/nuxt']

/**
 * Loads the plugin that builds a project: its own, or one installed beside the command if a manifest names it. Returns
 * `undefined` for projects without it, in which no directive has an effect.
 */
export async function loadAdvicePlugin(project: string): Promise<AdvicePlugin | undefined> {
  const manifest = path.join(project, 'package.json')
  const text = await readFile(manifest, 'utf8').catch(() => '')
  // One package of a workspace may use what another, or the root, has installed.
  if (!OURS.some((name) => text.includes(`"${name}"`)) && !isInstalled(project)) return undefined
  for (const from of [manifest, import.meta.url]) {
    try {
      const file = createRequire(from).resolve('unplugin-pixpress/internal')
      const found = (await import(pathToFileURL(file).href)) as Partial<AdvicePlugin>
      // An older one gives no advice.
      if (found.findElements !== undefined) return found as AdvicePlugin
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error
    }
  }
  return undefined
}

function isInstalled(folder: string): boolean {
  if (existsSync(path.join(folder, 'node_modules', OURS[0]!))) return true
  const above = path.dirname(folder)
  return above !== folder && isInstalled(above)
}
