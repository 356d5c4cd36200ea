import { Wording, createProject } from '@pixpress/testkit'
import { it } from 'vitest'
import { requireVersion } from '../src/bundlers/adapter/required-version.ts'
import { resolveOutputs } from '../src/directives/custom-output.ts'
import { resolveDefaultDirectives } from '../src/directives/default-directives.ts'
import { resolvePresets } from '../src/directives/presets.ts'
import type { PresetOrParts } from '../src/directives/presets.ts'
import { parseQuery } from '../src/directives/query.ts'
import { resolveDirectives } from '../src/directives/resolve.ts'
import { DIRECTIVE_NAMES } from '../src/directives/rows.ts'
import { unknownDirective } from '../src/directives/spelling.ts'
import { REFUSED_FORMATS, UNSUPPORTED_DIRECTIVES } from '../src/directives/vocabulary.ts'
import { toLiteral } from '../src/modules/asset-module.ts'
import { chooseAutoFormats } from '../src/session/options/auto-formats.ts'
import { checkOptions } from '../src/session/options/check-options.ts'
import { fromImagetools } from '../src/session/options/imagetools-options.ts'
import { remarkLines } from '../src/session/report/remarks.ts'
import type { Remarks } from '../src/session/report/remarks.ts'
import { texturesLine } from '../src/session/report/textures-line.ts'
import type { TextureReason } from '../src/textures/textures.ts'

const PRESETS: Readonly<Record<string, PresetOrParts>> = {
  hero: { w: [200, 400], as: 'srcset' },
  media: [{ media: '(max-width: 9px)', w: 5 }, { w: 9 }] as never,
}

const REASONS: readonly TextureReason[] = ['model', 'shader', 'sheet', 'loader', 'beside', 'name', 'tile', 'library']

it('says every sentence in the words of the snapshot', async () => {
  const wording = new Wording()
  const says = wording.says.bind(wording)

  for (const name of DIRECTIVE_NAMES) await says('Directives: wrong values', () => said(`?${name}=!x`))
  for (const name of DIRECTIVE_NAMES) await says('Directives: empty values', () => said(`?${name}=`))
  for (const format of Object.keys(REFUSED_FORMATS)) await says('Directives: formats', () => said(`?format=${format}`))
  for (const name of Object.keys(UNSUPPORTED_DIRECTIVES)) await says('Directives', () => unknownDirective(name))
  await says(
    'Directives: combinations',
    () => said('?fromat=webp'),
    () => said('?w=300,600'),
    () => said('?w=300&w=400'),
    () => said('?url&as=img'),
    () => said('?url&as=srcset'),
    () => said('?inline&w=5'),
    () => said('?original&w=5'),
    () => said('?raw&w=5'),
    () => said('?as=list'),
    () => said('?as=meta:none'),
    () => said('?as=img:src'),
    () => said('?as=url&base=5'),
    () => said('?as=img&base=5'),
    () => said('?as=url&lqip=blur'),
    () => said('?w=auto'),
    () => said('?w=auto&as=url'),
    () => said('?w=auto&h=5&as=img'),
    () => said('?w=auto&aspect=1&as=img'),
    () => said('?fit=cover'),
    () => said('?fit=cover&method=fit&w=5&h=5'),
    () => said('?method=scale'),
    () => said('?method=scale&w=5&h=5'),
    () => said('?method=cover&w=5'),
    () => said('?method=cover&h=5'),
    () => said('?method=cover&w=5&h=5&position=faces'),
    () => said('?preset=heor'),
    () => said('?preset=media&as=url'),
    () => said('?preset=media&w=5'),
    () => resolve('?preset=hero', {}),
  )
  await says(
    'Presets, defaults and outputs',
    () => resolvePresets(7 as never),
    () => resolvePresets({ hero: { wdith: 5 } } as never),
    () => resolvePresets({ hero: { w: 'x' } } as never),
    () => resolvePresets({ hero: { w: {} } } as never),
    () => resolvePresets({ hero: { w: [{}] } } as never),
    () => resolvePresets({ hero: [] } as never),
    () => resolvePresets({ hero: [{ w: 5 }, { w: 9 }] } as never),
    () => resolvePresets({ hero: [{ media: '', w: 5 }, { w: 9 }] } as never),
    () =>
      resolvePresets({
        hero: [
          { media: 'x', w: 5 },
          { media: 'y', w: 9 },
        ],
      } as never),
    () => resolveDefaultDirectives({ card: true }),
    () => resolveOutputs([]),
    () => resolveOutputs({ list: 'x' }),
    () => resolveOutputs({ 'a;b': () => 1 }),
    () => resolveOutputs({ url: () => 1 }),
  )
  await says(
    'Options',
    () => checkOptions({ publicPath: 'x' } as object, 'vite'),
    () => checkOptions({ qualty: 1 } as object),
    () => checkOptions({ report: { html: '' } }),
    ...['extendOutputFormats', 'extendTransforms', 'resolveConfigs', 'removeMetadata'].map(
      (name) => () => fromImagetools({ compat: 'imagetools', [name]: { retention: 5 } } as never) as unknown,
    ),
  )
  await says(
    'Notes',
    () => resolve('?w=300&h=300', {}).notes?.flat(),
    () => resolve('?quality=80&effort=4', {}).notes?.flat(),
  )
  await says('Formats of auto', ...(await autoSentences()))
  await says(
    'Versions',
    () => requireVersion('webpack', '5.0.0'),
    () => requireVersion('Vite', undefined),
  )
  await says(
    'Modules',
    () => toLiteral(5n),
    () => toLiteral(() => 5),
  )
  await says(
    'Below the report',
    () => remarks({ scaled: new Set(['a.png']) }),
    () => remarks({ scaled: new Set(['a.png', 'b.png']) }),
    () => remarks({ unnamed: copies(2000) }),
    () => remarks({ unnamed: copies(1000, 5000, 3000, 4000) }),
    () => remarks({ unsized: unsized(1) }),
    () => remarks({ unsized: unsized(4) }),
    () => texturesLine(new Map([1, 2, 3, 4, 5].map((each) => [`public/${each}/a.png`, 'library' as const]))),
    ...REASONS.flatMap((reason) => [
      () => texturesLine(new Map([['public/a.png', reason]])),
      () => texturesLine(new Map(['public/a.png', 'public/b.png'].map((file) => [file, reason]))),
    ]),
  )
  await wording.keep(import.meta.dirname, {
    least: 0.3,
    without: ['FETCH_FAILED', 'IO_FAILED', 'NOT_CACHED', 'OVER_BUDGET', 'REMOTE_UNAVAILABLE', 'UNSUPPORTED_OPERATION'],
  })
})

function resolve(query: string, presets: Readonly<Record<string, PresetOrParts>>) {
  return resolveDirectives(parseQuery(query), {
    presets: resolvePresets(presets),
    source: { width: 1000, height: 800, type: 'image/png', hasAlpha: false },
    compat: false,
    file: 'src/hero.png',
  })
}

/** The refusal of a query, or that there is none. */
function said(query: string): string {
  try {
    resolve(query, PRESETS)
    return `${query}: no refusal`
  } catch (error) {
    return `${query}: ${(error as { code?: string }).code}: ${(error as Error).message}`
  }
}

/** The sentences about the formats of `convert: 'auto'`, by the list and the target of a project. */
async function autoSentences(): Promise<readonly (() => string | undefined)[]> {
  // webpack brings browserslist with it.
  const project = await createProject('wording', {
    packages: ['webpack'],
    files: { 'pixpress.lock': '{"lock":1,"auto":["image/webp"],"browsers":"baseline"}\n' },
  })
  try {
    const chosen = [
      [],
      ['browserslist:defaults'],
      ['browserslist:ie 11'],
      ['browserslist:> 0.05%'],
      ['browserslist:nothing'],
      ['chrome120'],
      ['chrome120', 'edge88'],
    ].map((targets) => chooseAutoFormats(project.root, targets, undefined))
    chosen.push(chooseAutoFormats(project.root, [], project.path('pixpress.lock')))
    return chosen.map(
      ({ standing, unknownBrowsers }) =>
        () =>
          standing ?? unknownBrowsers,
    )
  } finally {
    await project.dispose()
  }
}

const remarks = (given: Partial<Remarks>): string[] =>
  remarkLines({ textures: new Map(), scaled: new Set(), unnamed: [], unsized: [], untouched: [], ...given })

const unsized = (count: number): Remarks['unsized'] =>
  Array.from({ length: count }, (_, at) => ({ source: `src/${at}.png`, attributes: 'width="640" height="480"' }))

const copies = (...sizes: readonly number[]): Remarks['unnamed'] =>
  sizes.map((bytes, at) => ({ source: `public/${at}.png`, bytes }))
