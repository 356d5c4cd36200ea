import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { root } from './bootstrap.mjs'

// The endings of queries that ask for URLs alone, for packages/unplugin/client.d.ts. A pattern of TypeScript has one
// `*`, which the path and all but the last directive take, so every last value needs a module of its own. A build
// writes them.

/** Widths, heights and scores that people write. @returns in order */
function numbers() {
  const all = new Set([1366, 1536, 2160, 2400, 2500, 2560, 2880, 3000, 3200, 3840, 4000, 4096, 5120, 7680])
  for (const [step, most] of [
    [2, 512],
    [5, 1000],
    [8, 2048],
    [10, 2048],
  ])
    for (let number = step; number <= most; number += step) all.add(number)
  return [...all].sort((a, b) => a - b)
}

const WORDS =
  'avif webp jpeg jpg png jxl auto original cover contain fill inside outside scale fit thumb top right bottom left centre center entropy attention nearest linear cubic mitchell lanczos2 lanczos3 mild high balanced small fast default max true false white black'

/** Every last value of a directive, but for colours, names of presets and other numbers. */
export const ENDINGS = [...WORDS.split(' '), ...numbers()]

/** Renders the declarations of imports by their endings. */
export function renderEndings() {
  const modules = ENDINGS.flatMap((ending) => [
    `declare module '*=${ending}' {\n  export { default } from '*?as=url'\n}`,
    `declare module '*;${ending}' {\n  export { default } from '*?as=urls'\n}`,
  ])
  const head = `// Made by a build (scripts/client-types.mjs). A query that ends so, and not in \`as=…\`, gives a URL, or URLs after \`;\`.
declare module '*?as=urls' {
  const urls: string[]
  export default urls
}
`
  return `${head}\n${modules.join('\n\n')}\n`
}

/** Writes the declarations beside the plugin's own, where client.d.ts refers to them. */
export async function writeEndings() {
  const folder = path.join(root, 'packages/unplugin/dist')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'client-endings.d.ts'), renderEndings())
}
