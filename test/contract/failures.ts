import { createProject, photo } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { build, buildOrThrow, evaluate, readOutput } from './build.ts'
import type { Bundler } from './capabilities.ts'
import { follow } from './locate.ts'

/** Describes the treatment of images that cannot be worked on, and of directives that make no sense. */
export function describeFailures(bundler: Bundler): void {
  describe('when something is wrong', () => {
    let project: Project | undefined
    afterEach(async () => {
      await project?.dispose()
      project = undefined
    })

    const create = async (main: string, options: { truncated?: Buffer } = {}): Promise<Project> => {
      project = await createProject(`failures-${bundler}`, {
        files: {
          'src/main.js': main,
          'src/whole.png': await photo(48, 36, 2).png(),
          ...(options.truncated !== undefined && { 'src/truncated.png': options.truncated }),
        },
      })
      return project
    }
    const BOTH = `
      import truncated from './truncated.png'
      import whole from './whole.png'
      globalThis.site = { broken: { truncated, whole } }`

    it('keeps a broken image as it is, with one warning that names it', async () => {
      const bytes = await truncatedImage()
      const made = await create(BOTH, { truncated: bytes })
      const result = await buildOrThrow(made, bundler, { convert: { type: 'image/webp' } })
      expect(result.warnings.filter((text) => text.includes('src/truncated.png'))).toHaveLength(1)
      const files = await readOutput(made)
      const { broken } = await evaluate(made, result)
      const site = { files, page: undefined, values: {} }
      expect(follow(broken!['truncated'] as string, site, '').bytes.equals(bytes)).toBe(true)
      expect(broken!['truncated']).toMatch(/\.png$|^data:image\/png/)
      expect(broken!['whole']).toMatch(/\.webp$|^data:image\/webp/)
      expect(result.report).toMatchObject({
        failures: [{ source: 'src/truncated.png' }],
        totals: { failed: 1, images: 1 },
      })
    })

    it("fails the build with onError: 'error', naming the image", async () => {
      const made = await create(BOTH, { truncated: await truncatedImage() })
      const result = await build(made, bundler, { onError: 'error' })
      expect(result.ok).toBe(false)
      expect(result.process.code).not.toBe(0)
      expect(result.error).toContain('src/truncated.png')
    })

    it('fails the build for a misspelt directive, naming the file and the right spelling', async () => {
      const made = await create("import wide from './whole.png?widht=32'\nglobalThis.site = { wrong: { wide } }")
      const result = await build(made, bundler, {})
      expect(result.ok).toBe(false)
      expect(result.error).toContain('whole.png')
      expect(result.error).toContain('widht')
      expect(result.error).toContain("'w'")
    })

    it('fails the build for an option that does not exist, with a suggestion', async () => {
      const made = await create("import whole from './whole.png'\nglobalThis.site = { right: { whole } }")
      const result = await build(made, bundler, { qualty: 'small' })
      expect(result.ok).toBe(false)
      expect(result.error).toMatch(/'qualty'.*quality/)
    })
  })
}

async function truncatedImage(): Promise<Buffer> {
  const whole = await photo(64, 48).png()
  return whole.subarray(0, Math.floor(whole.length / 2))
}
