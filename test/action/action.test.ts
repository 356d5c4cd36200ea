import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { formatBytes, formatChange } from '@pixpress/core/report'
import { graphic, photo, naming } from '@pixpress/testkit'
import { createOptimizer } from '@pixpress/core'
import sharp from 'sharp'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TOKEN, startGitHub } from './github-double.ts'
import type { GitHubDouble } from './github-double.ts'
import { createPullRequest } from './pull-request.ts'
import type { PullRequest } from './pull-request.ts'
import { readAction, runAction } from './workflow.ts'
import type { Ran } from './workflow.ts'

/** All that a shell, a workflow command, Markdown or HTML would take for its own. */
const HOSTILE = 'images/a|b `c` <img src=x> @all #1 $(touch hacked);"\'.png'
const images: Record<'heavy' | 'fresh' | 'older', Buffer> = {} as never
let folder = ''
let github: GitHubDouble
let pull: PullRequest

beforeAll(async () => {
  images.older = await photo(160, 120, 3).jpeg(98)
  images.heavy = await photo(160, 120, 1).jpeg(98)
  images.fresh = await graphic(120, 90).png()
})

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pixpress-'))
  github = await startGitHub()
  pull = await createPullRequest(
    folder,
    { 'images/hero.jpg': images.older, 'images/untouched.jpg': images.older },
    { 'images/hero.jpg': images.heavy, [HOSTILE]: images.fresh },
  )
})

afterEach(async () => {
  await github.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (
  inputs: Readonly<Record<string, string>> = {},
  { eventName, ...event }: { readonly isFork?: boolean; readonly eventName?: string } = {},
): Promise<Ran> =>
  runAction(
    folder,
    { token: TOKEN, ...inputs },
    {
      workspace: pull.workspace,
      event: pull.event(event),
      api: github.url,
      ...(eventName !== undefined && { eventName }),
    },
  )

/** The rows of the images: name, before, after, and what stands under the name. */
const rowsOf = (body: string): string[][] =>
  body
    .split('<details>')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| <code>') && !/[✓✗]/.test(line))
    .map((line) => {
      const [image, before, after] = line.slice(2, -2).split(' | ')
      const [name, ...what] = image!.split('<br>')
      return [name!, before!, after!, what.join('<br>')]
    })

/** The command to copy. */
const commandOf = (body: string): string | undefined => /```sh\n([^]*?)\n```/.exec(body)?.[1]

/** Address, commit and path of a row's picture after. */
const afterOf = ([, , after]: string[]): RegExpExecArray => /src="[^"]*\/blob\/(\w+)\/([^"?]+)\?raw=true"/.exec(after!)!

describe('the action in a project with the plugin', () => {
  it('speaks of what builds ship, before and after, with the numbers of the command', async () => {
    const manifest = JSON.stringify({ devDependencies: { 'unplugin-pixpress': '*' } })
    const config = `export default { convert: { type: 'image/webp' }, budgets: [{ image: '1 kB' }] }\n`
    await pull.push('main', { 'package.json': manifest, 'pixpress.config.mjs': config })
    await pull.checkOut()
    const { failed, summary, outputs } = await run()
    expect(failed).toBe('verdict')
    const report = JSON.parse(await readFile(outputs['report']!, 'utf8')) as {
      images: { source: string; bytes: number; file: number; before?: number; possible?: number }[]
      findings: { source: string; message: string }[]
    }
    const changed = report.images.filter(({ possible }) => possible !== undefined)
    const sums = [changed.map(({ bytes }) => bytes), changed.map(({ file }) => file)].map((each) =>
      formatBytes(each.reduce((sum, bytes) => sum + bytes)),
    )
    expect(summary).toEqual(naming('2 images', ...sums, '1 finding'))
    const { bytes, before, file } = changed.find(({ source }) => source === 'images/hero.jpg')!
    expect(file).toBe(images.heavy.length)
    const hero = rowsOf(summary).find(([name]) => name!.includes('hero'))!
    expect(hero[1]).toContain(`<br>${formatBytes(before!)}</a>`)
    expect(before).toBeLessThan(images.older.length)
    expect(hero[2]).toContain(`<br>${formatBytes(bytes)} of ${formatBytes(file)} (${formatChange(before!, bytes)})</a>`)
    expect(hero[3]).toEqual(naming(formatBytes(bytes), '1.0 kB'))
    // Nothing is to be compressed, but the finding can be had at home.
    expect(commandOf(summary)).toBe('npx pixpress check --changed=origin/main')
    expect(summary).toContain(
      `| <code>all images</code>, each image | 1.0 kB | ${formatBytes(before!)} | ${formatBytes(bytes)}<br><code>images/hero.jpg</code> | ✗ over by ${formatBytes(bytes - 1000)} |`,
    )
    // Images that a build compresses are not compressed in the repository.
    const fixed = await run({ fix: 'true', pictures: 'true' })
    expect(fixed.outputs).not.toHaveProperty('commit')
    // The picture after is what builds ship, which is in no branch.
    const [address, commit, name] = afterOf(rowsOf(fixed.summary).find(([image]) => image!.includes('hero'))!)
    expect([commit === pull.commitOf('feature'), name]).toEqual([false, 'images/hero.jpg.webp'])
    expect(pull.read(commit!, name!).length).toBe(bytes)
    expect(address).toContain('https://github.example/owner/site/blob/')
  })
})

describe('the action', () => {
  it('says in a comment and the summary what the branch has changed, and fails the job last', async () => {
    const { failed, steps, summary, outputs, log } = await run()
    expect([failed, steps]).toEqual(['verdict', ['check', 'report', 'verdict']])
    expect(outputs).toMatchObject({ findings: '2', 'comment-url': github.comments[0]!.html_url })
    expect(github.comments.map(({ body }) => body)).toEqual([summary])
    expect(summary).toMatch(/^<!-- pixpress [0-9a-f]{16} -->\n\n### pixpress: 2 images, .+ could be .+, 2 findings\n/)
    expect(log).toContain('2 findings')
    expect(log).not.toContain(TOKEN)

    const [base, head] = [pull.commitOf('main'), pull.commitOf('feature')]
    const rows = rowsOf(summary)
    expect(rows).toHaveLength(2)
    const hero = rows.find(([name]) => name!.includes('hero'))!
    expect(hero[1]).toContain(`<img src="https://github.example/owner/site/blob/${base}/images/hero.jpg?raw=true"`)
    expect(hero[2]).toContain(`<img src="https://github.example/owner/site/blob/${head}/images/hero.jpg?raw=true"`)
    expect(hero[3]).toContain(' could be ')
    const fresh = rows.find((row) => row !== hero)!
    expect(fresh[1]).toBe('new')
    expect(summary).toContain('commit what changes')
    expect(commandOf(summary)!.startsWith('npx pixpress compress -- images/hero.jpg ')).toBe(true)
    execFileSync('bash', ['--noprofile', '--norc', '-ec', commandOf(summary)!], {
      cwd: pull.workspace,
      stdio: 'ignore',
    })
    for (const [name, { length }] of Object.entries({ 'images/hero.jpg': images.heavy, [HOSTILE]: images.fresh }))
      expect((await readFile(path.join(pull.workspace, name))).length).toBeLessThan(length)
    expect(await readdir(pull.workspace)).not.toContain('hacked')
  })

  it('gives a command that does what it says, and a table of budgets, kept ones too', async () => {
    const config = `export default { budgets: [{ image: '1 MB' }, { include: 'images/*.jpg', total: '2 kB', growth: '10 MB' }] }\n`
    await pull.push('feature', { 'web/pixpress.config.mjs': config, 'web/images/one.jpg': images.heavy })
    await pull.push('feature', { 'web/package.json': '{}' })
    await pull.checkOut()
    const inputs = { 'working-directory': 'web', arguments: '--quality balanced', fail: 'false' }
    const { summary } = await run(inputs)
    const now = formatBytes(images.heavy.length)
    const rows = summary.split('\n').filter((line) => /[✓✗]/.test(line))
    expect(rows).toEqual([
      `| <code>images/&#42;.jpg</code>, all together | 2.0 kB | 0 B | ${now} | ✗ over by ${formatBytes(images.heavy.length - 2000)} |`,
      `| <code>all images</code>, each image | 1.0 MB |  | ${now}<br><code>images/one.jpg</code> | ✓ kept, ${formatBytes(1e6 - images.heavy.length)} left |`,
      naming('10.0 MB', '0 B', now, formatBytes(1e7 - images.heavy.length)),
    ])
    const command = commandOf(summary)!
    expect(command).toBe('cd web\nnpx pixpress compress --quality balanced -- images/one.jpg')
  })

  it('shows what could be smaller as it would be delivered, from a ref that no branch has', async () => {
    const { summary } = await run({ pictures: 'true' })
    const hero = rowsOf(summary).find(([name]) => name!.includes('hero'))!
    const [, commit, name] = afterOf(hero)
    expect(name).toBe('images/hero.jpg')
    expect(commit).not.toBe(pull.commitOf('feature'))
    const { length } = pull.read(commit!, name!)
    expect(length).toBeLessThan(images.heavy.length)
    expect(hero[2]).toContain(`<br>could be ${formatBytes(length)}</a><br><a `)
    expect(pull.describe(commit!, '%P %s')).toBe(' Pictures as they are delivered'.trim())
  })

  it('lets no name be markup, a mention, a command or a part of the address', async () => {
    const { summary } = await run()
    const [name, , after] = rowsOf(summary).find(([, before]) => before === 'new')!
    // The rest are letters, spaces and entities.
    expect(name).toMatch(/^<code>(?:[\w ./;=()]|&#\d+;)+<\/code>$/)
    const [, address] = /<img src="([^"]*)"/.exec(after!)!
    expect(decodeURIComponent(new URL(address!).pathname)).toBe(
      `/owner/site/blob/${pull.commitOf('feature')}/${HOSTILE}`,
    )
    expect(await readdir(pull.workspace)).not.toContain('hacked')
  })

  it('brings its own comment up to date, past those of others, and leaves those as they are', async () => {
    await run()
    const [own] = github.comments.splice(0)
    const marker = own!.body.split('\n', 1)[0]!
    for (let index = 0; index < 120; index++) github.add('ada', 'User', `${marker}\n\nA quotation, ${index}`)
    github.comments.push({ ...own!, id: 121 })
    const others = structuredClone(github.comments.slice(0, 120))

    await pull.push('feature', { 'images/hero.jpg': images.older })
    await pull.checkOut()
    const { outputs } = await run({ fail: 'false' })
    expect(outputs).toMatchObject({ findings: '1' })
    expect(github.comments).toHaveLength(121)
    expect(github.comments.slice(0, 120)).toEqual(others)
    expect(github.comments[120]!.body).toContain('### pixpress: 1 image, ')
    expect(github.requests.filter((request) => request.startsWith('PATCH'))).toHaveLength(1)
  })

  it('says once why images that nothing is found of are no smaller, closed below the table', async () => {
    const optimizer = createOptimizer()
    const flat = async (background: string): Promise<Buffer> => {
      const create = { width: 40, height: 30, channels: 3, background } as const
      const png = await sharp({ create }).png().toBuffer()
      return Buffer.from((await optimizer.optimize(png)).data)
    }
    await pull.push('feature', {
      'images/hero.jpg': images.older,
      [HOSTILE]: await flat('#123'),
      'images/small.png': await flat('#fed'),
    })
    await optimizer.close()
    await pull.checkOut()
    const { failed, summary } = await run()
    expect(failed).toBeUndefined()
    const [, closed = ''] = summary.split('<details>')
    expect(closed).toContain('2 images')
    const rows = closed.split('\n').filter((line) => line.startsWith('| <code>'))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toContain('small.png')
    expect(rows[0]).toMatch(/^\| (?:<code>(?:[\w ./;=()]|&#\d+;)+<\/code>(?:<br>)?){2} \|/)
  })

  it('writes no comment where no image has changed', async () => {
    await pull.push('feature', { 'images/hero.jpg': images.older, 'notes.txt': 'a' })
    await pull.checkOut()
    const { failed, summary } = await run({ files: '"images/hero.jpg" images/untouched.jpg' })
    expect([failed, github.comments]).toEqual([undefined, []])
    expect(summary).toContain('### pixpress: 0 images, nothing found')
  })

  it('ends with what the command says where that cannot do it', async () => {
    const wrong = await run({ arguments: '--qality small' })
    expect([wrong.failed, wrong.log]).toEqual(['check', expect.stringContaining("'--quality'")])
    const unclosed = await run({ arguments: '--quality "small' })
    expect(unclosed.log).toContain("'arguments'")
    const address = await run({ version: 'file:../evil' })
    expect(address.log).toEqual(naming("'version'", "'file:../evil'"))
    const target = await run({}, { eventName: 'pull_request_target' })
    expect([target.failed, target.log]).toEqual(['check', expect.stringContaining("Use 'on: pull_request'")])
  })

  it('has inputs, each of which a step is given', async () => {
    const { steps, defaults } = await readAction()
    const used = new Set(steps.flatMap(({ env }) => Object.values(env)))
    expect(Object.keys(defaults).filter((name) => !used.has(name))).toEqual(['cache'])
  })
})

describe('the action with fix', () => {
  it('pushes one commit with the compressed images to the branch, and is content', async () => {
    const [base, head] = [pull.commitOf('main'), pull.commitOf('feature')]
    const { failed, outputs, summary } = await run({ fix: 'true' })
    const commit = pull.commitOf('feature')
    expect(failed).toBeUndefined()
    expect(outputs).toMatchObject({ findings: '0', fixed: '2', commit })
    expect(pull.describe(commit, '%P %an %s')).toBe(`${head} github-actions[bot] Compress images`)
    expect(pull.changed(head, commit).toSorted()).toEqual([HOSTILE, 'images/hero.jpg'])
    expect(pull.read('feature', 'images/hero.jpg').length).toBeLessThan(images.heavy.length)
    expect(pull.read('feature', 'images/untouched.jpg')).toEqual(images.older)
    expect(pull.commitOf('main')).toBe(base)
    // Before and after are the same picture: as it was pushed, and as it is.
    const hero = rowsOf(summary).find(([name]) => name!.includes('hero'))!
    expect(hero[1]).toContain(`/blob/${head}/images/hero.jpg`)
    expect(hero[2]).toContain(`/blob/${commit}/images/hero.jpg`)
    expect(hero[3]).toBe('Compressed.')
    expect(github.comments.map(({ body }) => body)).toEqual([summary])
  })

  it('pushes nothing in the next run, though nothing is remembered and smaller results may be had', async () => {
    await run({ fix: 'true' })
    const commit = pull.commitOf('feature')
    await pull.checkOut()
    await rm(path.join(pull.workspace, '.cache'), { recursive: true })
    const { outputs } = await run({ fix: 'true', fail: 'false', arguments: '--quality 30 --min-saving 1' })
    expect(Number(outputs['findings'])).toBeGreaterThan(0)
    expect([pull.commitOf('feature'), github.comments.length]).toEqual([commit, 1])
  })

  it('leaves a fork alone, whose token may not comment either, and says both', async () => {
    github.readOnly = true
    const head = pull.commitOf('feature')
    const { failed, summary, log } = await run({ fix: 'true', fail: 'false' }, { isFork: true })
    expect([failed, pull.commitOf('feature'), github.comments]).toEqual([undefined, head, []])
    expect(summary).toContain('to a fork')
    expect(summary).toContain(`https://github.example/somebody/site/blob/${head}/images/hero.jpg`)
    expect(log).toContain('comment was written')
  })

  it('says so where the branch has moved on, and overwrites nothing', async () => {
    const event = pull.event()
    await pull.push('feature', { 'notes.txt': 'more' })
    const moved = pull.commitOf('feature')
    const inputs = { token: TOKEN, fix: 'true' }
    const { failed, summary } = await runAction(folder, inputs, { workspace: pull.workspace, event, api: github.url })
    expect([failed, pull.commitOf('feature')]).toEqual(['verdict', moved])
    expect(summary).toContain('to the branch')
    expect(summary).toContain(', 2 findings')
  })

  it('finds its way in a folder of its own configuration', async () => {
    await pull.push('feature', { 'web/package.json': '{}', 'web/pixpress.config.mjs': 'export default {}\n' })
    await pull.push('feature', { 'web/big.jpg': images.heavy })
    await pull.checkOut()
    const head = pull.commitOf('feature')
    const { failed, summary } = await run({ fix: 'true', 'working-directory': 'web' })
    expect([failed, pull.changed(head, pull.commitOf('feature'))]).toEqual([undefined, ['web/big.jpg']])
    const [row] = rowsOf(summary)
    expect([row![0], row![2]]).toEqual([
      '<code>big.jpg</code>',
      expect.stringContaining(`/blob/${pull.commitOf('feature')}/web/big.jpg?raw=true`),
    ])
  })

  it('leaves images that would become another type, which nothing would refer to', async () => {
    const config = `export default ${JSON.stringify({ convert: { type: 'image/webp' } })}\n`
    await pull.push('feature', { 'pixpress.config.mjs': config })
    await pull.checkOut()
    const head = pull.commitOf('feature')
    const { failed, summary } = await run({ fix: 'true' })
    expect([failed, pull.commitOf('feature')]).toEqual(['verdict', head])
    expect(summary).toEqual(naming('images/hero.jpg', 'images/hero.webp'))
    expect(await readdir(path.join(pull.workspace, 'images'))).not.toContain('hero.webp')
  })

  it('says why a remote refuses, without credentials of addresses', async () => {
    const hook = path.join(folder, 'remote.git/hooks/pre-receive')
    await writeFile(hook, '#!/bin/sh\necho "no pushes to https://user:secret@example.com/" >&2\nexit 1\n')
    await chmod(hook, 0o755)
    const { log, failed, summary } = await run({ fix: 'true', pictures: 'true' })
    expect([failed, rowsOf(summary).length]).toEqual(['verdict', 2])
    expect(log).toContain('no delivered pictures')
    expect(log).toContain('https://example.com/')
    expect(log).not.toContain('secret')
  })
})
