import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createProject, naming } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseAutoFormats } from '../../../src/session/options/auto-formats.ts'

const [AVIF, WEBP] = ['image/avif', 'image/webp'] as const
const BOTH = [AVIF, WEBP]

let project: Project
beforeAll(async () => {
  // webpack brings browserslist with it.
  project = await createProject('auto-formats', {
    packages: ['webpack'],
    files: {
      'node_modules/browserslist-config-shared/package.json': '{}',
      'node_modules/browserslist-config-shared/index.js': `module.exports = ['defaults', 'ie 11']`,
    },
  })
})
afterAll(() => project.dispose())

let folders = 0
/** A folder of the project whose package.json has the list. browserslist reads each of them once. */
async function folderWith(browserslist: unknown): Promise<string> {
  const folder = `list-${++folders}`
  await project.write(`${folder}/package.json`, JSON.stringify({ browserslist }))
  return project.path(folder)
}

const chosen = async (browserslist: unknown): Promise<ReturnType<typeof chooseAutoFormats>> =>
  chooseAutoFormats(await folderWith(browserslist), [], undefined)

const CREATE_REACT_APP = {
  production: ['>0.2%', 'not dead', 'not op_mini all'],
  development: ['last 1 chrome version', 'ie 11'],
}

describe("the formats of convert: 'auto' by a browserslist", () => {
  it.each<[unknown, readonly string[]]>([
    ['defaults', BOTH],
    ['last 2 versions', BOTH],
    [CREATE_REACT_APP, BOTH],
    [['> 0.5%, last 2 versions, Firefox ESR, not dead'], BOTH],
    // Above the limit in sum, although none of them is named.
    ['> 0.05%', [WEBP]],
    ['safari 16.4', BOTH],
    ['safari 15', []],
    ['ios_saf 14.0-14.4', [WEBP]],
    [['defaults', 'op_mini all'], [WEBP]],
    [['defaults', 'ie 11'], []],
    ['last 2 versions, bb 10', []],
    ['defaults, not ie 11', BOTH],
    ['chrome >= 80', [WEBP]],
    ['chrome >= 80, not chrome < 85', BOTH],
    ['chrome >= 80 and last 2 versions', BOTH],
    [['extends browserslist-config-shared'], []],
    // Neither names a browser and a version.
    [['since 2024', 'cover 90%', 'node 20'], BOTH],
  ])('of %j are %j', async (list, expected) => {
    const { covered, unknownBrowsers } = await chosen(list)
    expect({ covered, unknownBrowsers }).toEqual({ covered: expected, unknownBrowsers: undefined })
  })

  it('come from the list, not from the target', async () => {
    expect(chooseAutoFormats(await folderWith('defaults'), ['safari14'], undefined).covered).toEqual(BOTH)
  })

  it('come from a list in the target, where webpack has one', async () => {
    expect(chooseAutoFormats(await folderWith('defaults'), ['web', 'browserslist:op_mini all'], undefined)).toEqual({
      covered: [WEBP],
      standing: naming("'auto'", 'WebP', '(build target)', 'op_mini all', 'AVIF') as string,
      autoFormats: { auto: [WEBP], browsers: 'browserslist: op_mini all' },
    })
  })

  it.each([
    ['defaults, ie 11, safari 15', ' ie 11, safari 15. '],
    ['> 0.05%', 'and 2 more'],
    ['op_mini all, chrome 100', 'not op_mini all'],
  ])('name the browsers of %j that lack one, and queries that are enough', async (list, part) => {
    const { standing } = await chosen(list)
    expect(standing).toContain(part)
    const added = /add to it: (.+)\.$/.exec(standing!)![1]!
    expect((await chosen(`${list}, ${added}`)).covered).toEqual(BOTH)
  })

  it('say who decides, and how to serve older browsers', async () => {
    expect((await chosen('defaults')).standing).toEqual(naming("'auto'", 'AVIF', 'WebP', '(package.json)', 'safari 15'))
    expect((await chosen('ie 11')).standing).toEqual(naming("'auto'", '(package.json)', 'ie 11', 'AVIF', 'not ie > 0'))
  })

  it('are none for a list that is refused, with one sentence that says why', async () => {
    const { covered, unknownBrowsers, ...rest } = await chosen(['defaults', 'no such query'])
    expect({ covered, ...rest }).toEqual({ covered: [] })
    expect(unknownBrowsers).toEqual(naming("'auto'", '(package.json)', 'no such query'))
  })
})

const withTargets = (...targets: readonly string[]): ReturnType<typeof chooseAutoFormats> =>
  chooseAutoFormats(project.root, targets, undefined)

describe("the formats of convert: 'auto' without a browserslist", () => {
  it('are those of Baseline widely available', () => {
    const baseline = {
      covered: BOTH,
      standing: naming("'auto'", 'AVIF', 'WebP', 'Baseline', 'package.json') as string,
      autoFormats: { auto: BOTH, browsers: 'baseline' },
    }
    expect(withTargets()).toEqual(baseline)
    expect(withTargets('esnext', 'es2020', 'node20', 'baseline-widely-available')).toEqual(baseline)
  })

  it.each<[readonly string[], readonly string[]]>([
    [['chrome111', 'safari16.4', 'edge121'], BOTH],
    // The use of Edge 111 is below the limit.
    [['chrome111', 'edge111', 'firefox114', 'safari16.4'], [WEBP]],
    [['es2020', 'chrome107', 'ios14'], [WEBP]],
    [['es2020,safari14'], []],
    [['ie11'], []],
  ])('of the target %j are %j', (targets, expected) => expect(withTargets(...targets).covered).toEqual(expected))

  it('name the targets that lack one, and a target that is enough', () => {
    const { standing } = withTargets('es2020', 'edge88', 'chrome87', 'ie11')
    expect(standing).toEqual(
      naming('(edge88, chrome87, ie11)', 'edge 88, ie 11', 'AVIF', "['es2020', 'edge121', 'chrome87']"),
    )
    expect(withTargets('es2020', 'edge121', 'chrome87')).toEqual({
      covered: BOTH,
      standing: naming("'auto'", 'AVIF', 'WebP', '(edge121, chrome87)') as string,
      autoFormats: { auto: BOTH, browsers: 'targets: edge121, chrome87' },
    })
  })
})

const lockWith = async (header: string): Promise<string> => {
  const file = path.join(project.root, 'pixpress.lock')
  await writeFile(file, `${header}\n`)
  return file
}

describe("the formats of convert: 'auto' in a lock", () => {
  it('stay while the project names the same browsers, and the console says how to renew them', async () => {
    const lock = await lockWith('{"lock":1,"auto":["image/webp"],"browsers":"baseline"}')
    expect(chooseAutoFormats(project.root, [], lock)).toEqual({
      covered: [WEBP],
      standing: naming("'auto'", 'WebP', 'pixpress.lock', 'AVIF', 'WebP', '"auto"') as string,
      autoFormats: { auto: [WEBP], browsers: 'baseline' },
    })
  })

  it('are chosen again for other browsers', async () => {
    const lock = await lockWith('{"lock":1,"auto":["image/webp"],"browsers":"targets: safari16"}')
    expect(chooseAutoFormats(project.root, [], lock).covered).toEqual(BOTH)
    const list = await folderWith('safari 16.4')
    expect(chooseAutoFormats(list, [], lock).autoFormats).toEqual({ auto: BOTH, browsers: 'browserslist: safari 16.4' })
  })

  it.each(['{"lock":1}', '{"lock":1,"auto":"image/webp","browsers":"baseline"}', 'null', '<<<<<<< ours'])(
    'are chosen again for the first line %s',
    async (header) => expect(chooseAutoFormats(project.root, [], await lockWith(header)).covered).toEqual(BOTH),
  )
})
