import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { LONGEST, packageFiles } from '../project/files.ts'
import { moduleUse } from '../project/uses.ts'

/** A plugin that can stay in a project, with the images that are its own. */
interface Loader {
  /** Modules of which a configuration loads one. */
  readonly modules: readonly string[]
  /** Matches a use of an image that stays with the plugin. */
  readonly uses: RegExp
  /** Tells what to write so that pixpress makes such an image. */
  readonly move: string
}

const LOADERS: readonly Loader[] = [
  {
    modules: ['@sveltejs/enhanced-img'],
    uses: /<enhanced:img\b|\?(?:[^"'`\s]*&)?enhanced\b|\bquery\s*:\s*(?:["'`]|\{[^}]*?\b)enhanced\b/g,
    move: "import picture from './photo.jpg?w=640;1280&format=avif;webp;jpg&as=picture', and write <picture> in place of <enhanced:img>: docs/frameworks/sveltekit.md has it",
  },
  {
    modules: ['@zerodevx/svelte-img/vite', '@zerodevx/svelte-img'],
    uses: /\?(?:[^"'`\s]*&)?as=run\b|\bquery\s*:\s*\{[^}]*?\bas["']?\s*:\s*["'`]run\b/g,
    move: "write 'as=picture' in place of 'as=run', and <picture> in place of its component: docs/frameworks/sveltekit.md has it",
  },
]

/** The places whose images stay with another plugin. */
export interface StayingImages {
  readonly specifier: string
  /** Relative to the folder, with the number of uses. */
  readonly files: readonly { readonly file: string; readonly uses: number }[]
  readonly move: string
}

/** Finds the images of a package that stay with a plugin which the project has besides. @param folder absolute */
export async function stayingImages(folder: string): Promise<readonly StayingImages[]> {
  const found: StayingImages[] = []
  for (const { modules, uses, move } of LOADERS) {
    const use = await moduleUse(folder, modules)
    if (use === undefined) continue
    const files: { file: string; uses: number }[] = []
    for (const file of await packageFiles(folder)) {
      const text = await readFile(path.join(folder, file), 'utf8')
      const count = text.length > LONGEST ? 0 : [...live(file, text).matchAll(uses)].length
      if (count > 0) files.push({ file, uses: count })
    }
    found.push({ specifier: use.specifier, files, move })
  }
  return found
}

/** Leaves out comments of markup, and code that Markdown only shows. */
function live(file: string, text: string): string {
  const shown = text.replaceAll(/<!--[^]*?-->/g, '')
  if (!/\.(?:md|mdx|svx)$/i.test(file)) return shown
  return shown.replaceAll(/^ *(`{3,}|~{3,})[^]*?^ *\1/gm, '').replaceAll(/`[^`\n]+`/g, '')
}

/** Files that are named. */
const NAMED = 5

/** Returns what to tell a person of them. */
export function stayingSentence({ specifier, files, move }: StayingImages): string {
  if (files.length === 0) return `No image is left to '${specifier}': it can go from the configuration.`
  const uses = files.reduce((sum, each) => sum + each.uses, 0)
  const named = files.slice(0, NAMED).map((each) => `  ${each.file}  ${each.uses}`)
  const more = files.length > NAMED ? [`  and ${files.length - NAMED} more files`] : []
  const places = uses === 1 ? '1 place leaves its images' : `${uses} places leave their images`
  return [`${places} to '${specifier}':`, ...named, ...more, `To move one, ${move}.`].join('\n')
}
