import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPage } from './markdown.ts'
import { readSnippets, snippetsOf, titleOf } from './snippets/read.ts'
import { recipeOf } from './snippets/run.ts'
import { createScratch } from './snippets/scratch.ts'
import type { Scratch } from './snippets/scratch.ts'

const SNIPPETS = await readSnippets()
const RUN = SNIPPETS.filter(({ notRun }) => notRun === undefined)
const PAGES = [...new Set(RUN.map(({ page }) => page))]

describe('snippetsOf', () => {
  it('reads the code, its line and why it is not run', () => {
    const text = 'Text.\n\n```sh\na\n```\n\n<!-- not run: a cloud -->\n\n```js\nb()\n\nc()\n```\n'
    expect(snippetsOf('a.md', text)).toEqual([
      { page: 'a.md', line: 3, language: 'sh', code: 'a\n', notRun: undefined },
      { page: 'a.md', line: 9, language: 'js', code: 'b()\n\nc()\n', notRun: 'a cloud' },
    ])
  })
})

describe('the snippets of the documentation', () => {
  it('are run, or say why not', () => {
    expect(RUN.filter((snippet) => recipeOf(snippet) === undefined).map(titleOf)).toEqual([])
    expect(RUN.length).toBeGreaterThan(45)
  })

  it('are all found, indented or not', async () => {
    for (const page of new Set(SNIPPETS.map(({ page: name }) => name))) {
      const fences = (await readPage(page)).match(/^\s*```/gm)!.length
      expect([page, fences]).toEqual([page, 2 * SNIPPETS.filter(({ page: name }) => name === page).length])
    }
  })

  it('that are not run are these', () => {
    const reasons = SNIPPETS.filter(({ notRun }) => notRun !== undefined)
    expect(reasons.map(({ page, notRun }) => `${page}: ${notRun}`)).toMatchInlineSnapshot(`
      [
        "README.md: commands of this repository, which its CI runs",
        "docs/audit.md: needs a finished site",
        "docs/batch.md: needs a bucket and its credentials",
        "docs/batch.md: needs a bucket and its credentials",
        "docs/batch.md: needs a bucket and its credentials",
        "docs/batch.md: needs a queue, a bucket and its credentials",
        "docs/batch.md: a part of an array",
        "docs/cache.md: a job of GitLab",
        "docs/cache.md: a part of a workflow of GitHub Actions",
        "docs/check.md: ends with code 3 where something is found",
        "docs/check.md: a hook of Git",
        "docs/check.md: a workflow of GitHub Actions",
        "docs/check.md: a job of GitLab",
        "docs/directives.md: a part of a configuration",
        "docs/directives.md: a part of a configuration",
        "docs/first-build.md: a step for GitHub Actions",
        "docs/github-action.md: a workflow of GitHub Actions",
        "docs/github-action.md: a job of GitHub Actions",
        "docs/migrate.md: changes a project that uses another plugin",
        "docs/migrating-from-image-minimizer-webpack-plugin.md: changes a project that uses another plugin",
        "docs/migrating-from-image-minimizer-webpack-plugin.md: the configuration of another plugin",
        "docs/migrating-from-image-minimizer-webpack-plugin.md: a line of each plugin",
        "docs/migrating-from-image-minimizer-webpack-plugin.md: a line of each plugin",
        "docs/migrating-from-unplugin-imagemin.md: changes a project that uses another plugin",
        "docs/migrating-from-unplugin-imagemin.md: the configuration of another plugin",
        "docs/migrating-from-vite-imagetools.md: changes a project that uses another plugin",
        "docs/migrating-from-vite-imagetools.md: the configuration of another plugin",
        "docs/migrating-from-vite-plugin-image-optimizer.md: changes a project that uses another plugin",
        "docs/migrating-from-vite-plugin-image-optimizer.md: the configuration of another plugin",
        "docs/moving-from-plugins.md: changes a project that uses another plugin",
        "docs/moving-from-plugins.md: the configuration of another plugin",
        "docs/options.md: steps for GitHub Actions; a test reads their order",
        "docs/payloads.md: needs a folder of images",
        "docs/placeholders.md: what is written",
        "docs/placeholders.md: needs React",
        "docs/placeholders.md: needs Vue",
        "docs/placeholders.md: needs Svelte",
        "docs/placeholders.md: needs Solid",
        "docs/playground.md: opens a page in a browser",
        "docs/releasing.md: changes the versions of this repository",
        "docs/releasing.md: a changeset",
        "docs/releasing.md: publishes",
        "docs/remote-images.md: its hosts are made up",
        "docs/remote-images.md: its hosts are made up",
        "docs/scale.md: a part of the work, of which every machine has one",
        "docs/scale.md: a workflow of GitHub Actions",
        "docs/self-hosted.md: steps for GitHub Actions; a test reads their order",
        "docs/server.md: hashes are cut short",
        "docs/server.md: a data folder of the machine",
        "docs/server.md: a cloud and its credentials",
        "docs/server.md: installs packages for the whole machine",
        "docs/server.md: makes a user of the machine",
        "docs/server.md: a unit of systemd",
        "docs/server.md: an image for Docker",
        "docs/server.md: services of Docker Compose",
        "docs/server.md: needs Docker",
        "docs/server.md: needs Docker",
        "docs/server.md: needs a cluster",
        "docs/types.md: a part of what is written",
        "docs/types.md: needs a project with the option",
        "docs/widths.md: needs React",
        "packages/astro/README.md: a project with Astro, which test/projects has",
        "packages/astro/README.md: a project with Astro, which test/projects has",
        "packages/nuxt/README.md: a project with Nuxt, which test/projects has",
        "packages/nuxt/README.md: a project with Nuxt, which test/projects has",
      ]
    `)
  })
})

describe('from the packed packages', () => {
  let scratch: Scratch
  const folders = new Map<string, string>()
  beforeAll(async () => {
    scratch = await createScratch()
    for (const page of PAGES) folders.set(page, await scratch.folderOf(page))
  })
  afterAll(() => scratch?.dispose())

  it.each(RUN.map((snippet) => [titleOf(snippet), recipeOf(snippet)?.name, snippet] as const))(
    '%s %s',
    async (_, __, snippet) => {
      const folder = folders.get(snippet.page)!
      await recipeOf(snippet)!.run(snippet.code, folder, scratch, snippet)
    },
  )
})
