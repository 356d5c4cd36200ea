import { describe, expect, it } from 'vitest'
import { resolvePresets } from '../../src/directives/presets.ts'
import type { MediaPreset, Preset, PresetOrParts } from '../../src/directives/presets.ts'

const resolved = (hero: PresetOrParts): unknown => resolvePresets({ hero }).get('hero')

describe('resolvePresets', () => {
  it('has none by default', () => {
    expect(resolvePresets()).toEqual(new Map())
  })

  it('reads every member by the rules of a query', () => {
    const preset: Preset = {
      w: [640, 1280],
      h: 300,
      method: 'cover',
      background: 'white',
      format: ['avif', 'webp', 'jpg'],
      quality: ['high', 70],
      preserve: ['location', 'copyright'],
      as: 'picture',
      basePixels: 640,
      rotate: 90,
      blur: [true, 2.5],
      position: ['top', '0.3,0.6'],
    }
    expect(resolvePresets({ hero: preset }).get('hero')).toEqual({
      alternatives: {
        w: [640, 1280],
        h: [300],
        method: ['cover'],
        background: ['#ffffff'],
        format: ['avif', 'webp', 'jpeg'],
        quality: ['high', 70],
        rotate: [90],
        blur: [true, 2.5],
        position: ['top', [0.3, 0.6]],
      },
      operations: { preserve: ['copyright', 'location'] },
      shape: { as: 'picture' },
      basePixels: 640,
    })
  })

  it('reads what a configuration without types may hold', () => {
    const presets = { icon: { w: '16;32', fit: undefined, preserve: [], as: 'meta:width;src' } } as unknown
    expect(resolvePresets(presets as Record<string, Preset>).get('icon')).toEqual({
      alternatives: { w: [16, 32] },
      operations: { preserve: [] },
      shape: { as: 'metadata', keys: ['width', 'src'] },
    })
  })

  it.each([
    [{ hero: { wdith: 3 } }, "Unknown option 'presets.hero.wdith'. Did you mean 'w'?"],
    [{ hero: { preset: 'card' } }, "Unknown option 'presets.hero.preset'."],
    [{ hero: { noAutoOrient: 'true' } }, "Directive 'presets.hero.noAutoOrient' is not supported."],
    [{ hero: { blur: 0.1 } }, "Expected a number from 0.3 to 1000 for 'presets.hero.blur' but received 0.1"],
    [{ hero: { inline: true } }, "Unknown option 'presets.hero.inline'."],
    [{ hero: { w: 1.5 } }, "Expected a whole number of at least 1, or 'auto', for 'presets.hero.w' but received '1.5'"],
    [{ hero: { w: [] } }, "Expected at least one value for 'presets.hero.w' but received [] of type array."],
    [
      { hero: { w: {} } },
      "Expected a string, a number, true, false, or a list of them for 'presets.hero.w' but received {} of type object.",
    ],
    [{ hero: { w: [1, null] } }, "for 'presets.hero.w' but received null of type null."],
    [
      { hero: { format: 'wepb' } },
      "for 'presets.hero.format' but received 'wepb' of type string. Did you mean 'webp'?",
    ],
    [{ hero: { preserve: ['gps'] } }, "for 'presets.hero.preserve' but received 'gps'"],
    [
      { hero: { preserve: 3 } },
      "Expected a list of strings for 'presets.hero.preserve' but received 3 of type number.",
    ],
    [
      { hero: { as: ['img', 'picture'] } },
      "Expected exactly one value for 'presets.hero.as' but received 'img;picture'",
    ],
    [
      { hero: { fit: 'cover', method: 'cover' } },
      "presets.hero: 'fit=cover' and 'method=cover' each say how the image is cut. Keep one of them.",
    ],
    [
      { hero: { w: 3, h: 3, method: 'scale' } },
      "presets.hero: 'method=scale' keeps the proportions, so 'w' and 'h' cannot both hold.",
    ],
    [{ hero: 'w=300' }, "Expected an object for 'presets.hero' but received 'w=300' of type string."],
    [{ hero: null }, "Expected an object for 'presets.hero' but received null of type null."],
    [['hero'], 'Expected an object for \'presets\' but received ["hero"] of type array.'],
  ])('refuses %j', (presets, message) => {
    const resolve = (): unknown => resolvePresets(presets as unknown as Record<string, Preset>)
    expect(resolve).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) }),
    )
  })

  it('leaves to the query what is only incomplete', () => {
    expect(resolvePresets({ hero: { fit: 'cover', w: 300 } }).size).toBe(1)
  })

  describe('of parts for media', () => {
    it('are a picture', () => {
      expect(resolved([{ media: '(max-width: 600px)', aspect: '4:5', w: 480 }, { w: 1200 }])).toEqual({
        alternatives: {},
        parts: [
          { media: '(max-width: 600px)', alternatives: { aspect: ['4:5'], w: [480] }, shape: { as: 'picture' } },
          { alternatives: { w: [1200] }, shape: { as: 'picture' } },
        ],
      })
    })

    it.each<[MediaPreset[], string]>([
      [[], "Expected at least one part for 'presets.hero'"],
      [[{ w: 3 }, { w: 5 }], "Expected a media query for 'presets.hero[0].media' but received undefined"],
      [
        [{ media: 'print', w: 3 }],
        "Expected nothing, as the last part is for every other medium, for 'presets.hero[0].media'",
      ],
      [[{ w: 3, as: 'img' }], "Expected 'picture' for 'presets.hero[0].as' but received 'img'"],
      [[{ wdith: 3 } as MediaPreset], "Unknown option 'presets.hero[0].wdith'. Did you mean 'w'?"],
    ])('refuse %j', (parts, message) => {
      expect(() => resolved(parts)).toThrow(message)
    })
  })
})
