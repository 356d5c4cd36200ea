import { Wording, graphic, photo } from '@pixpress/testkit'
import { it } from 'vitest'
import { KINDS } from '../../audit/src/findings/kinds.ts'
import { readAccess } from '../../batch/src/places/access.ts'
import { assertSafeKey, imageTooLarge } from '../../batch/src/places/image-checks.ts'
import { parseBucket } from '../../batch/src/places/open.ts'
import { readUrl } from '../../batch/src/places/url.ts'
import { connectQueue } from '../../batch/src/queue/connect.ts'
import { parseJob } from '../../batch/src/queue/job.ts'
import { batchDescription } from '../../batch/src/records/description.ts'
import { COUNT, FLAG, asFields, parseRecordJson } from '../../batch/src/records/fields.ts'
import { COMMANDS } from '../src/commands/index.ts'
import { parseShard } from '../src/compress/shard.ts'
import { RULES } from '../src/check/findings.ts'
import { ownVersion } from '../src/base/exit.ts'
import { useFolder } from './command-line.ts'

const folder = useFolder()

it('says every sentence in the words of the snapshot', async () => {
  const wording = new Wording()
  const says = (group: string, ...commands: readonly (readonly string[])[]): Promise<void> =>
    wording.says(group, ...commands.map((args) => () => said(args)))
  const jpeg = await photo(240, 160).jpeg(95)
  await folder.write({
    'a.jpg': jpeg,
    'b/a.jpg': jpeg,
    'c.png': await graphic(64, 48).png(),
    'heic.heic': Buffer.from('0000001866747970686569630000000068656963', 'hex'),
    'page.psd': Buffer.from('8BPS\0\u0001'),
    'bad.png': (await graphic(64, 48).png()).subarray(0, 60),
    'text.png': 'no image',
    'report.json': '{}',
    'none.config.mjs': 'export const a = 7\n',
    'wrong.config.mjs': 'export default { qualty: 7 }\n',
    'torn.config.mjs': 'export default {\n',
    'budget.config.mjs': "export default { budgets: [{ image: '1 kB', total: '1 kB', growth: '1 kB' }] }\n",
    'page.config.mjs': "export default { budgets: [{ page: '1 kB' }] }\n",
    'vite/package.json': '{"devDependencies":{"vite":"7.0.0"}}\n',
    'vite/vite.config.js': 'export default {}\n',
    'two/package.json': '{"devDependencies":{"vite":"7.0.0","rollup":"4.0.0"}}\n',
    'two/vite.config.js': 'export default {}\n',
    'two/rollup.config.js': 'export default [{}, {}]\n',
    'none/package.json': '{}\n',
    'cra/package.json': '{"dependencies":{"react-scripts":"5.0.0"}}\n',
    'old/package.json': '{"devDependencies":{"vite":"7.0.0","vite-plugin-image-optimizer":"1.0.0"}}\n',
    'old/vite.config.js':
      "import { ViteImageOptimizer } from 'vite-plugin-image-optimizer'\nexport default { plugins: [ViteImageOptimizer()] }\n",
  })

  await says('pixpress', [], ['--help'], ['comprss'], ['photo.jpg'], ['undo'])
  for (const name of Object.keys(COMMANDS))
    if (!/^(?:serve|keys|storage)$/.test(name)) await says(`pixpress ${name}`, [name, '--help'], [name, '--xyzzy'])

  await says(
    'pixpress compress',
    ['compress'],
    ['compress', 'gone.jpg'],
    ['compress', '*.tif'],
    ['compress', '-', 'a.jpg'],
    ['compress', '-', '--html', 'x.html'],
    ['compress', '-', '--name', '{name}'],
    ['compress', '-', '--watch'],
    ['compress', '-', '--store'],
    ['compress', '-', '--backup', 'x'],
    ['compress', '-', '--width', '10,20'],
    ['compress', 'a.jpg', '--width', '10,20'],
    ['compress', 'a.jpg', '--name', '{name}'],
    ['compress', 'a.jpg', '--out', 'out', '--name', '{nam}'],
    ['compress', 'a.jpg', '--out', 'out', '--name', '{name'],
    ['compress', 'a.jpg', '--out', 'out', '--name', '{name}.jpg'],
    ['compress', 'a.jpg', '--out', 'out', '--name', '../{name}.{ext}'],
    ['compress', 'a.jpg', 'b/a.jpg', '--out', 'out', '--name', '{name}.{ext}'],
    ['compress', 'a.jpg', '--out', 'out', '--width', '10,20', '--name', '{name}.{ext}'],
    ['compress', 'a.jpg', '--key', 'k'],
    ['compress', 'a.jpg', '--engine', 'https://x.example'],
    ['compress', 'a.jpg', '--store', '--out', 'out'],
    ['compress', 'a.jpg', '--min-saving', 'x'],
    ['compress', 'a.jpg', '--files-from', 'gone'],
    ['compress', 'a.jpg', '--shard', '3/2'],
    ['compress', 'a.jpg', '--shard', 'auto'],
    ['compress', 'a.jpg', '--staged'],
    ['compress', 'a.jpg', '--quiet', '--verbose'],
    ['compress', 'a.jpg', '--rotate', '90'],
    ['compress', 'a.jpg', '--config', 'gone.mjs'],
    ['compress', 'a.jpg', '--config', 'none.config.mjs'],
    ['compress', 'a.jpg', '--config', 'wrong.config.mjs'],
    ['compress', 'page.psd', 'heic.heic'],
    ['compress', '.', '--out', 'out', '--overwrite', '--dry-run'],
    ['compress', 'a.jpg', 'text.png', 'bad.png', '--out', 'out', '--verbose'],
    ['compress', 'a.jpg', '--out', 'out', '--quality', '30', '--verbose'],
    ['compress', 'a.jpg', '--max-bytes', '50', '--verbose'],
    ['compress', 'a.jpg', '--backup', 'text.png', '--verbose'],
    ['compress', 'a.jpg', '--convert', 'webp', '--name', 'x', '--verbose'],
    ['compress', 'a.jpg'],
    ['compress', 'a.jpg', '--quality', '40', '--verbose'],
    ['compress', 'a.jpg', '--quality', '40', '--force'],
  )
  await wording.says(
    'pixpress compress --shard auto',
    () => parseShard('auto', { CI_NODE_INDEX: '1' }),
    () => parseShard('auto', { CI_NODE_INDEX: 'x', CI_NODE_TOTAL: '3' }),
    () => parseShard('auto', { CI_NODE_INDEX: '9', CI_NODE_TOTAL: '3' }),
  )
  await says(
    'pixpress restore',
    ['restore', '--dry-run'],
    ['restore', 'x.jpg'],
    ['restore', 'vite'],
    ['restore'],
    ['restore'],
  )
  await wording.says('pixpress check', () => Object.values(RULES).flatMap((each) => Object.values(each)))
  await says(
    'pixpress check',
    ['check', '.', '--exclude', 'two'],
    ['check', 'a.jpg', '--format', 'x'],
    ['check', 'a.jpg', '--json', '--format', 'github'],
    ['check', 'a.jpg', '--changed', '--staged'],
    ['check', 'a.jpg', '--changed', 'HEAD'],
    ['check', 'a.jpg', '--baseline', 'report.json'],
    ['check', 'a.jpg', '--baseline', 'a.jpg'],
    ['check', 'a.jpg', '--pages', 'gone'],
    ['check', 'a.jpg', '--pages', 'vite'],
    ['check', 'a.jpg', '--config', 'budget.config.mjs'],
    ['check', 'a.jpg', '--config', 'page.config.mjs'],
    ['check', 'vite'],
    ['check', 'a.jpg', 'bad.png', '--format', 'markdown'],
    ['check', 'a.jpg', 'bad.png', '--format', 'github'],
  )
  await says(
    'pixpress cache',
    ['cache'],
    ['cache', 'x'],
    ['cache', 'stats', '--cache-dir', 'cache'],
    ['cache', 'verify', '--cache-dir', 'cache'],
    ['cache', 'prune', '--cache-dir', 'cache'],
    ['cache', 'clear', '--cache-dir', 'cache'],
    ['cache', 'stats', '--remote'],
    ['cache', 'push'],
    ['cache', 'path', '--remote'],
    ['cache', 'prune', '--max-size', 'x'],
  )
  await says(
    'pixpress init',
    ['init', 'gone'],
    ['init', 'none'],
    ['init', 'cra'],
    ['init', 'two'],
    ['init', 'two', '--bundler', 'rolup'],
    ['init', 'two', '--bundler', 'rollup'],
    ['init', 'vite', '--dry-run'],
    ['init', 'vite'],
    ['init', 'vite'],
    ['init', 'old'],
  )
  await says(
    'pixpress migrate',
    ['migrate', 'x'],
    ['migrate', 'gone'],
    ['migrate', 'imagetools', 'vite'],
    ['migrate', 'tinify', '--endpoint', 'x'],
    ['migrate', 'imagetools', '--endpoint', 'https://x.example'],
    ['migrate', 'image-optimizer', 'old'],
    ['migrate', 'image-optimizer', 'old', '--write'],
  )
  await says(
    'pixpress audit',
    ['audit'],
    ['audit', 'vite', 'two'],
    ['audit', 'vite', '--sources', 'gone'],
    ['audit', 'vite', '--dry-run'],
    ['audit', 'vite', '--viewports', 'x'],
    ['audit', 'none'],
  )
  await wording.says('pixpress audit: findings', () => Object.values(KINDS))
  await says(
    'pixpress batch',
    ['batch', 'a.jpg'],
    ['batch', '--from', '.', '--to', '.'],
    ['batch', '--from', 'vite', '--to', 'gone', '--detach'],
    ['batch', '--status'],
    ['batch', '--status', '--to', 'gone'],
    ['batch', '--from', 'gone', '--to', 'out'],
    ['batch', '--from', 'x', '--to', 'x://'],
    ['batch', '--from', 'b', '--to', 'results', '--width', '10,20'],
    ['batch', '--from', 'b', '--to', 'results', '--price-hour', 'x'],
    ['batch', '--from', 'b', '--to', 'results', '--estimate', '--status'],
    ['batch', '--from', 'b', '--to', 'results', '--queue', 'x'],
    ['batch', '--from', 'b', '--to', 'results', '--estimate'],
    ['batch', '--from', 'b', '--to', 'results'],
    ['batch', '--to', 'results', '--status'],
    ['work'],
    ['work', 'x'],
    ['work', '--queue', 'redis://127.0.0.1:1'],
  )
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  await wording.says(
    'Batches: places, queue and records',
    access({}),
    access({ endpoint: 'x' }, keys),
    access({ region: '!' }, keys),
    () => parseBucket('s3://A', '--to'),
    () => assertSafeKey('../a.png'),
    () => imageTooLarge('a.png', 10),
    () => readUrl('http://127.0.0.1:1/a.png', { key: 'a.png' } as never, 10),
    () => parseJob({}),
    () => connectQueue('x', () => undefined),
    () => connectQueue('redis://127.0.0.1:1', () => undefined),
    () => parseRecordJson('a.json', '{'),
    () => asFields('a.json', {}, { a: COUNT }),
    () => asFields('a.json', { b: 1 }, { a: COUNT }),
    () => asFields('a.json', { a: 'x' }, { a: FLAG }),
    () => batchDescription({ operations: { resize: () => 7 } } as never),
  )
  await says(
    'pixpress report, types, upgrade, refine, doctor, completion',
    ['report'],
    ['report', 'gone.json'],
    ['report', 'report.json'],
    ['types'],
    ['types', 'types.d.ts', '--check'],
    ['types', 'types.d.ts'],
    ['types', 'types.d.ts', '--check'],
    ['upgrade', 'x'],
    ['upgrade', '--dry-run'],
    ['refine', '--budget', 'soon'],
    ['refine', 'x'],
    ['refine', '--budget', '0s'],
    ['doctor', 'x'],
    ['completion', 'fsh'],
    ['completion'],
  )
  await wording.keep(import.meta.dirname, {
    least: 0.4,
    holds: ['audit', 'batch', 'migrate'],
    without: ['MACHINE_UNFIT', 'STORE_FAILED'],
    masks: [
      [folder.path, '<folder>'],
      [ownVersion(), '(version)'],
      [/\b[\da-f]{16}\b/g, '(id)'],
    ],
  })
})

/** Runs a command. Figures depend on encoders and clocks, so other tests look at them. */
async function said(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await folder.run(args, { env: { XDG_CACHE_HOME: folder.path } })
  const text = `${stdout}${stderr}`
    .replaceAll(/-?\d[\d.]*(?= ?(?:k?B|MB|GB|ms|s|%)(?![a-z]))/g, 'N')
    .replaceAll(/\bN ms\b/g, 'N s')
    .trimEnd()
  return `$ ${['pixpress', ...args].join(' ')} → ${code}\n${text}\n`
}

const access =
  (flags: object, env: Readonly<Record<string, string>> = {}) =>
  () =>
    readAccess({ endpoint: undefined, region: undefined, ...flags }, env) as unknown
