// oxlint-disable-next-line typescript/triple-slash-reference -- it declares modules, and is none itself
/// <reference path="../src/astro.d.ts" />
import { expect, it, vi } from 'vitest'
import type { ImageConfig, ImageTransform } from '../src/astro-types.ts'
import { hold } from '../src/held-project.ts'
import service from '../src/service.ts'

// Projects bring Astro: this workspace does not install it.
vi.mock('astro/assets', () => ({
  baseService: {
    propertiesToHash: ['src', 'width', 'format'],
    validateOptions: (options: ImageTransform) => options,
  },
}))

const CONFIG: ImageConfig = { service: { entrypoint: '@pixpress/astro/service', config: {} } }

/** Returns what Astro names an image by in its cache. */
async function named(quality: number): Promise<string> {
  hold({ options: { report: false, quality }, root: import.meta.dirname })
  const asked = { src: '/a.png', width: 48, format: 'webp' }
  const valid: Readonly<Record<string, unknown>> = await service.validateOptions(asked, CONFIG)
  return JSON.stringify(service.propertiesToHash.map((property) => valid[property]))
}

it('has Astro keep images of other options apart', async () => {
  expect(await named(60)).not.toBe(await named(90))
  expect(await named(60)).toBe(await named(60))
})
