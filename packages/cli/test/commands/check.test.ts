import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createOptimizer } from '@pixpress/core'
import type { OptimizeResult } from '@pixpress/core'
import { formatBytes, formatChange } from '@pixpress/core/report'
import { graphic, photo, naming } from '@pixpress/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FORMAT_NAMES } from '../../src/check/formats/index.ts'
import { fingerprintOf } from '../../src/check/findings.ts'
import { ownVersion } from '../../src/base/exit.ts'
import { useFolder } from '../command-line.ts'
import type { Ended } from '../command-line.ts'

const folder = useFolder()

/** A name with all that formats have to escape. */
const NEW = 'images/new & 5%, [x].png'
const images: Record<'heavy' | 'fresh' | 'small' | 'broken', Buffer> = {} as never
const results: Record<'heavy' | 'fresh', OptimizeResult> = {} as never
/** Sentences about images that could be smaller. */
const shrinking: Record<'heavy' | 'fresh', string> = {} as never

let cache = ''
afterAll(() => rm(cache, { recursive: true, force: true }))
beforeAll(async () => {
  cache = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  const optimizer = createOptimizer()
  images.heavy = await photo(120, 90).jpeg(98)
  images.fresh = await graphic(120, 90).png()
  images.small = Buffer.from((await optimizer.optimize(await graphic(60, 40, 2).png())).data)
  images.broken = images.heavy.subarray(0, 400)
  for (const name of ['heavy', 'fresh'] as const) {
    const result = await optimizer.optimize(images[name])
    const { input, info } = result
    results[name] = result
    shrinking[name] =
      `${formatBytes(input.size)} could be ${formatBytes(info.size)} (${formatChange(input.size, info.size)}) at a score of ${rounded(result)}.`
  }
  await optimizer.close()
})

const rounded = ({ score }: OptimizeResult): number => Math.round(score! * 100) / 100

const BROKEN = 'The end of this JPEG is missing. Copy or export it again.'

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...identity, ...args], { cwd: folder.path, stdio: 'ignore' })
}

/** On `main` a heavy, a broken and an unchanged image; on the branch a new one, not committed. */
beforeEach(async () => {
  await folder.write({
    'images/broken.jpg': images.broken,
    'images/heavy.jpg': images.heavy,
    'images/small.png': images.small,
    '.gitignore': '.cache\n',
  })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  git('checkout', '-q', '-b', 'feature')
  await folder.write({ [NEW]: images.fresh })
})

/** Returns the line about the image without a finding. */
const kept = (): string => `  images/small.png, ${formatBytes(images.small.length)}: ${SMALLEST}`
const SMALLEST = 'Nothing clearly smaller looks the same.'

const check = (...args: string[]): Promise<Ended> => folder.run(['check', ...args])
const config = (options: object): Promise<void> =>
  folder.write({ 'pixpress.config.mjs': `export default ${JSON.stringify(options)}\n` })

describe('pixpress check', () => {
  it('ends with code 3 and says the same in every run, the second of which encodes nothing', async () => {
    const { heavy, fresh } = results
    const saving = formatBytes(images.heavy.length - heavy.info.size + images.fresh.length - fresh.info.size)
    const expected = {
      code: 3,
      stderr: expect.not.stringContaining('images/') as string,
      stdout: [
        'images/broken.jpg',
        `  broken: ${BROKEN}`,
        'images/heavy.jpg',
        `  could-shrink: ${shrinking.heavy}`,
        NEW,
        `  could-shrink: ${shrinking.fresh}`,
        'As small as they get',
        kept(),
        `pixpress  4 images checked, 3 findings; \`npx pixpress compress .\` would save ${saving}\n`,
      ].join('\n'),
    }
    expect(await check()).toMatchObject(expected)
    expect(await check()).toMatchObject({ ...expected, stderr: '' })
    const again = await folder.run(['compress', 'images', '--dry-run', '--json'])
    expect((JSON.parse(again.stdout) as { totals: object }).totals).toMatchObject({ images: 3, encoded: 0 })
    expect(await folder.read('images/heavy.jpg')).toEqual(images.heavy)
  })

  it('names the command that saves what it says, with the operations that it was given', async () => {
    const quality = ['--quality', '60', '--config', 'my config.mjs']
    await folder.write({ 'my config.mjs': 'export default {}\n' })
    const { stdout } = await check('images/heavy.jpg', '--min-saving', '1', ...quality)
    const [, command, saving] = /; `(.*)` would save (.*)\n$/.exec(stdout)!
    expect(command).toBe("npx pixpress compress images/heavy.jpg --quality 60 --config 'my config.mjs'")
    const done = await folder.run(['compress', 'images/heavy.jpg', ...quality, '--json'])
    expect(formatBytes((JSON.parse(done.stdout) as { totals: { saved: number } }).totals.saved)).toBe(saving)
  })

  it('ends with code 0 when compress has nothing to do', async () => {
    await folder.remove('images/broken.jpg')
    await folder.run(['compress', 'images'])
    expect(await check('images')).toMatchObject({
      code: 0,
      stdout: naming(
        `  2 images, ${formatBytes(results.heavy.info.size + results.fresh.info.size)}: `,
        `${kept()}\n`,
        '3 images',
      ),
      stderr: '',
    })
    // A looser promise would cost what was compressed detail a second time.
    expect(await check('images', '--quality', '30')).toMatchObject({ code: 0 })
    expect(await check('images', '--format', 'gitlab')).toMatchObject({ code: 0, stdout: '[]\n' })
  })

  it('takes a converted file beside its source for done', async () => {
    await folder.run(['compress', 'images/heavy.jpg', '--convert', 'webp'])
    expect(await check('images/heavy.jpg', '--convert', 'webp')).toMatchObject({ code: 0 })
    await folder.remove('images/heavy.webp')
    const { code, stdout } = await check('images/heavy.jpg', '--convert', 'webp')
    expect(code).toBe(3)
    expect(stdout).toContain('WebP')
  })

  it('leaves images alone that would save too little', async () => {
    const saving = (100 * (images.heavy.length - results.heavy.info.size)) / images.heavy.length
    const least = ['--min-saving', String(Math.floor(saving))]
    const most = ['--min-saving', `${Math.ceil(saving)}%`]
    expect(await check('images/heavy.jpg', ...least)).toMatchObject({ code: 3 })
    expect(await check('images/heavy.jpg', ...most)).toMatchObject({ code: 0 })
  })

  it('looks at the changes of a branch alone with --changed', async () => {
    const expected = {
      code: 3,
      stdout: `${NEW}\n  could-shrink: ${shrinking.fresh}\npixpress  1 image checked, 1 finding\n`,
    }
    expect(await check('--changed', 'main')).toMatchObject(expected)
    git('add', '.')
    git('commit', '-q', '-m', 'two')
    expect(await check('--changed', 'main')).toMatchObject(expected)
    expect(await check('--changed', 'HEAD')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no images'),
    })
    // A change of the other branch since then is no change of this one.
    git('checkout', '-q', 'main')
    await folder.write({ 'images/heavy.jpg': images.fresh })
    git('commit', '-q', '-a', '-m', 'three')
    git('checkout', '-q', 'feature')
    expect(await check('--changed', 'main')).toMatchObject(expected)
  })

  it('ends with code 1 when a file could not be checked', async () => {
    await config({ limits: { maxBytes: 1000 } })
    const { code, stdout, stderr } = await check('images/heavy.jpg')
    expect({ code, stdout }).toEqual({ code: 1, stdout: naming('0 images', '1 could') })
    expect(stderr).toEqual(naming('images/heavy.jpg', '1000'))
  })

  it('takes what is no image for broken, and so an empty file', async () => {
    await folder.write({ 'images/text.png': 'no image', 'images/empty.png': '' })
    const { code, stdout } = await check('images/text.png', 'images/empty.png')
    expect([code, stdout.match(/^ {2}broken: /gm)?.length]).toEqual([3, 2])
  })

  it('ends with code 1 where a frozen run lacks a result, although its outcome is known', async () => {
    const frozen = async (): Promise<number> =>
      (await folder.run(['check', 'images/heavy.jpg'], { env: { PIXPRESS_FROZEN: '1' } })).code
    await check('images/heavy.jpg')
    expect(await frozen()).toBe(3)
    await folder.run(['cache', 'clear'])
    expect(await frozen()).toBe(1)
  })

  it('takes --json for --format json', async () => {
    const { code, stdout } = await check('images/small.png', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ findings: [] })
    const format = ['--format', 'json', '--json']
    expect(Object.keys(JSON.parse((await check('images/small.png', ...format)).stdout) as object)).toEqual(
      Object.keys(JSON.parse(stdout) as object),
    )
  })

  it('does not take --json beside another format', async () => {
    const message = "--json is short for '--format json', and '--format text' was given: leave one of them out."
    expect(await check('images', '--json', '--format', 'text')).toMatchObject({
      code: 2,
      stdout: `${JSON.stringify({ error: { code: 'USAGE', message } })}\n`,
      stderr: `pixpress: ${message}\n`,
    })
  })

  it.each([
    [['--format', 'githab'], "or 'sarif' for '--format' but received 'githab'"],
    [['--min-saving', '101'], "Expected percent from 0 to 100 for '--min-saving' but received '101'."],
    [['--min-savings', '5'], "Unknown option '--min-savings'. Did you mean '--min-saving'?"],
    [['--changed', 'nowhere'], "There is no commit 'nowhere' for '--changed'"],
    [['--baseline', 'nothing.json'], "There is no file 'nothing.json'"],
    [['--baseline', 'package.json'], "'package.json' is no report of pixpress, or one of a newer version."],
    [['--store'], "Unknown option '--store'."],
    [['--html', 'page.html'], "Unknown option '--html'."],
    [['nothing.png'], "There is no file or folder 'nothing.png'."],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await check(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it('says what --changed needs outside of a repository, and where histories have nothing in common', async () => {
    git('checkout', '-q', '--orphan', 'other')
    git('commit', '-q', '-m', 'other')
    expect(await check('--changed', 'main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('fetch-depth: 0'),
    })
    await rm(path.join(folder.path, '.git'), { recursive: true })
    expect(await check('--changed', 'main')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--changed'),
    })
  })
})

describe('budgets', () => {
  it('name the image and what makes it fit', async () => {
    await folder.remove('images/broken.jpg')
    const { size } = results.heavy.info
    const heavy = formatBytes(images.heavy.length)
    await config({ budgets: [{ include: 'images/*.jpg', image: size }] })
    expect((await check('images/heavy.jpg', '--min-saving', '100')).stdout).toEqual(
      naming('images/heavy.jpg', heavy, formatBytes(size), 'images/*.jpg', formatBytes(size), '1 image', '1 finding'),
    )
    // Another process would find no configuration of the same name changed.
    await folder.write({
      'less.config.mjs': `export default ${JSON.stringify({ budgets: [{ image: size - 1 }] })}\n`,
    })
    const less = ['images/heavy.jpg', '--min-saving', '100', '--config', 'less.config.mjs']
    expect((await check(...less)).stdout).toEqual(naming(formatBytes(size), `'--max-bytes ${size - 1}'`))
    await folder.run(['compress', 'images/heavy.jpg', '--dry-run', '--quality', '60'])
    expect((await check(...less)).stdout).toMatch(/ quality 60 .* [\d.]+ k?B\.\n/)
  })

  it('hold images together, and what they grow by since a commit or a report', async () => {
    await folder.remove('images/broken.jpg')
    const whole = images.heavy.length + images.fresh.length + images.small.length
    const before = whole - images.fresh.length
    const possible = results.heavy.info.size + images.small.length + results.fresh.info.size
    await config({ budgets: [{ include: 'images/**', total: '1 kB', growth: '0%' }] })
    const json = (await check('images/heavy.jpg', 'images/small.png', '--format', 'json')).stdout
    await folder.write({ 'before.json': json })
    const total = `${formatBytes(whole)} of 1.0 kB that images/** may have together;`
    const grew = `images/** grew by ${formatBytes(whole - before - images.broken.length)} to ${formatBytes(whole)}, and may grow by 0 B: ${NEW} is new (+${formatBytes(images.fresh.length)});`
    const grewSince = grew.replace(formatBytes(whole - before - images.broken.length), formatBytes(images.fresh.length))
    const { stdout } = await check('--min-saving', '100', '--baseline', 'before.json')
    const saving = formatBytes(images.heavy.length - results.heavy.info.size)
    const remedy = `take ${formatBytes(possible)}, where images/heavy.jpg saves most: ${saving}.`
    expect(stdout).toEqual(
      naming('images/heavy.jpg', total, remedy, NEW, grewSince, remedy, kept(), '3 images', '2 findings'),
    )
    // The broken image was deleted since, which counts; what does not change is not encoded, so that no saving of it is
    // known.
    expect((await check('--changed', 'main', '--min-saving', '100')).stdout).toContain(`growth-budget: ${grew} `)
    expect(await check('--changed', 'HEAD', 'images/heavy.jpg')).toMatchObject({ code: 0 })
    expect((await check('--min-saving', '100')).stderr).toEqual(naming("'growth'", '--baseline', '--changed'))
  })
})

describe('budgets of pages', () => {
  beforeEach(async () => {
    await folder.remove('images/broken.jpg')
    const html = `<img srcset="/a/small.png 400w, /a/heavy.jpg 1170w" sizes="100vw"><img src="https://elsewhere/x.png">`
    await folder.write({
      'dist/blog/post.html': html,
      'dist/index.html': '<img src="a/small.png">',
      'dist/a/heavy.jpg': images.heavy,
      'dist/a/small.png': images.small,
    })
  })
  const own = ['images/small.png', '--min-saving', '100'] as const

  it('name the page, the window and what is heaviest', async () => {
    await config({ budgets: [{ page: images.small.length }] })
    const weighs = formatBytes(images.heavy.length)
    expect(await check(...own, '--pages', 'dist')).toMatchObject({
      code: 3,
      stdout: naming(
        'dist/blog/post.html',
        weighs,
        formatBytes(images.small.length),
        '390 px',
        '3',
        'a/heavy.jpg',
        weighs,
        kept(),
        '1 image',
        '1 finding',
      ),
    })
  })

  it('are for the pages of their patterns', async () => {
    await config({ budgets: [{ include: 'index.html', page: images.small.length }] })
    expect(await check(...own, '--pages', 'dist')).toMatchObject({ code: 0 })
  })

  it('are not checked without a folder, which is said, and refuse one that is not there', async () => {
    await config({ budgets: [{ page: 5 }] })
    expect(await check(...own)).toMatchObject({
      code: 0,
      stderr: naming("'page'", '--pages'),
    })
    expect(await check(...own, '--pages', 'none')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--pages'),
    })
    await folder.write({ 'none.config.mjs': 'export default {}\n' })
    expect((await check(...own, '--pages', 'dist', '--config', 'none.config.mjs')).stderr).toEqual(
      naming('--pages', "'page'"),
    )
  })
})

/** Findings that every format tells: one of each kind, in a folder of the repository. */
const found = (): { rule: string; title: string; severity: string; source: string; message: string }[] => [
  { rule: 'broken', title: 'Broken image', severity: 'critical', source: 'images/broken.jpg', message: BROKEN },
  {
    rule: 'could-shrink',
    title: 'Image could be smaller',
    severity: 'minor',
    source: 'images/heavy.jpg',
    message: shrinking.heavy,
  },
  { rule: 'could-shrink', title: 'Image could be smaller', severity: 'minor', source: NEW, message: shrinking.fresh },
]
const output = async (format: string): Promise<string> => {
  // Encoded once for all formats.
  const { code, stdout, stderr } = await check('--format', format, '--cache-dir', cache)
  expect(code).toBe(3)
  expect(stderr).not.toContain('images/')
  return stdout
}

const failure = ({ rule, title, message }: ReturnType<typeof found>[number]): string =>
  `      <failure type="${rule}" message="${title}: ${message}">${title}: ${message}</failure>\n`

/** The columns of bytes. */
const cells = (bytes: Buffer, { info }: OptimizeResult): string =>
  `${formatBytes(bytes.length)} | ${formatBytes(info.size)}`

const testCase = (source: string, content?: string): string =>
  `    <testcase classname="pixpress.images" name="${source}" file="${source}"${content === undefined ? '/>' : `>\n${content}    </testcase>`}`

describe('the formats', () => {
  it('are all tested here', () => {
    expect(FORMAT_NAMES).toEqual(['text', 'github', 'gitlab', 'markdown', 'junit', 'json', 'sarif'])
  })

  it('github writes workflow commands, escaped', async () => {
    const file = 'images/new & 5%25%2C [x].png'
    expect(await output('github')).toEqual(
      naming(
        `::error file=images/broken.jpg,title=Broken image (broken)::${BROKEN}`,
        'images/heavy.jpg',
        shrinking.heavy.replaceAll('%', '%25'),
        `file=${file},title=Image`,
        shrinking.fresh.replaceAll('%', '%25'),
        'pixpress  4 images checked, 3 findings',
      ),
    )
  })

  it('gitlab writes a Code Quality report', async () => {
    expect(JSON.parse(await output('gitlab'))).toEqual(
      found().map(({ rule, title, severity, source, message }) => ({
        description: `${title}: ${message}`,
        check_name: `pixpress/${rule}`,
        fingerprint: fingerprintOf({ rule: rule as 'broken', source, message, bytes: 0 }, 0),
        severity,
        location: { path: source, lines: { begin: 1 } },
      })),
    )
  })

  it('markdown writes a table, in which nothing of a name is markup', async () => {
    const { heavy, fresh } = results
    expect(await output('markdown')).toEqual(
      naming(
        '### pixpress: 4 images checked, 3 findings',
        '| Image | Finding | Now | Possible | What |',
        '| --- | --- | ---: | ---: | --- |',
        `| \`images/broken.jpg\` | Broken image | 400 B |  | ${BROKEN} |`,
        '`images/heavy.jpg`',
        cells(images.heavy, heavy),
        shrinking.heavy,
        `\`${NEW}\``,
        cells(images.fresh, fresh),
        shrinking.fresh,
        '| Why |',
        '| --- | ---: | --- |',
        `| \`images/small.png\` | ${formatBytes(images.small.length)} | ${SMALLEST} |`,
      ),
    )
  })

  it('junit writes a test for each image', async () => {
    const escaped = NEW.replace('&', '&amp;')
    const [broken, heavy, fresh] = found().map(failure)
    expect(await output('junit')).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="pixpress" tests="4" failures="3" errors="0">',
        '  <testsuite name="pixpress check" tests="4" failures="3" errors="0" skipped="0">',
        testCase('images/broken.jpg', broken),
        testCase('images/heavy.jpg', heavy),
        testCase(escaped, fresh),
        testCase('images/small.png'),
        '  </testsuite>',
        '</testsuites>\n',
      ].join('\n'),
    )
  })

  it('json writes all there is', async () => {
    const { heavy, fresh } = results
    const { length: bytes } = images.heavy
    expect(JSON.parse(await output('json'))).toEqual({
      version: 1,
      budgets: [],
      root: '.',
      findings: [
        { rule: 'broken', source: 'images/broken.jpg', message: BROKEN, bytes: 400 },
        {
          rule: 'could-shrink',
          source: 'images/heavy.jpg',
          message: shrinking.heavy,
          bytes,
          possible: heavy.info.size,
        },
        {
          rule: 'could-shrink',
          source: NEW,
          message: shrinking.fresh,
          bytes: images.fresh.length,
          possible: fresh.info.size,
        },
      ],
      failures: [],
      images: [
        { source: 'images/broken.jpg', bytes: 400 },
        { source: 'images/heavy.jpg', bytes, possible: heavy.info.size },
        { source: NEW, bytes: images.fresh.length, possible: fresh.info.size },
        {
          source: 'images/small.png',
          bytes: images.small.length,
          possible: images.small.length,
          why: { because: 'smallest', sentence: SMALLEST },
        },
      ],
      kept: [
        { because: 'smallest', sentence: SMALLEST, bytes: images.small.length, file: images.small.length, images: 1 },
      ],
      totals: {
        images: 4,
        checked: 4,
        findings: 3,
        failed: 0,
        bytes: 400 + bytes + images.fresh.length + images.small.length,
        possible: 400 + heavy.info.size + fresh.info.size + images.small.length,
      },
    })
  })

  it('sarif writes a log of version 2.1.0, with paths from the top of the repository', async () => {
    await folder.write({ 'images/package.json': '{}' })
    const log = JSON.parse(await output('sarif')) as {
      runs: { tool: { driver: { rules: { id: string; name: string }[] } }; results: object[] }[]
    }
    const { rules } = log.runs[0]!.tool.driver
    expect(rules.map(({ id, name }) => [id, name])).toEqual([
      ['broken', 'Broken'],
      ['could-shrink', 'CouldShrink'],
      ['image-budget', 'ImageBudget'],
      ['total-budget', 'TotalBudget'],
      ['growth-budget', 'GrowthBudget'],
      ['page-budget', 'PageBudget'],
      ['not-locked', 'NotLocked'],
      ['lock-differs', 'LockDiffers'],
    ])
    expect(log).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name: 'pixpress', semanticVersion: ownVersion(), rules } },
          invocations: [{ executionSuccessful: true }],
          columnKind: 'utf16CodeUnits',
          results: found().map(({ rule, source, message }) => ({
            ruleId: rule,
            ruleIndex: rules.findIndex(({ id }) => id === rule),
            level: 'error',
            message: { text: message },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: {
                    uri: source.split('/').map(encodeURIComponent).join('/'),
                    uriBaseId: '%SRCROOT%',
                  },
                  region: { startLine: 1 },
                },
              },
            ],
            partialFingerprints: {
              'pixpress/v1': fingerprintOf({ rule: rule as 'broken', source, message, bytes: 0 }, 0),
            },
          })),
        },
      ],
    })
  })
})
