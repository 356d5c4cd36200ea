import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Wording } from '@pixpress/testkit'
import { afterAll, beforeAll, it } from 'vitest'
import { assertAllowed } from '../src/accounts/authentication.ts'
import { parseKeys } from '../src/accounts/keys.ts'
import { readOperations } from '../src/delivery/operations.ts'
import { readPath } from '../src/delivery/path.ts'
import { asObject, assertKnownKeys, parseJson } from '../src/http/json.ts'
import { FLAGS, helpText, keysCommand, readCommandLine, resolveSettings, storageCommand } from '../src/index.ts'
import type { FlagName } from '../src/index.ts'
import { parseKeysFile } from '../src/settings/keys-file.ts'
import { parseKeyText } from '../src/storage/stored-key.ts'
import { parseCount, parseOutputRecord } from '../src/storage/stored-records.ts'
import { startTestServer } from './support/server.ts'
import type { TestServer } from './support/server.ts'

let folder: string
let server: TestServer

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'wording-'))
  server = await startTestServer()
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

it('says every sentence in the words of the snapshot', async () => {
  const wording = new Wording()
  const says = wording.says.bind(wording)
  await says('pixpress serve --help', () => helpText().split('\n'))
  for (const name of Object.keys(FLAGS) as FlagName[])
    await says('Settings: wrong values', () => {
      const refused = refusalOf(() => resolveSettings({ [name]: '! x' }))
      return refused ?? `--${name}: takes any text`
    })
  await says(
    'Settings: combinations',
    () => readCommandLine(['x'], {}),
    () => readCommandLine(['--prot', '1'], {}),
    () => readCommandLine([], { PIXPRESS_PROT: '1' }),
    settings({ host: '0.0.0.0' }),
    settings({ 'tls-cert': path.join(folder, 'gone.pem') }),
    settings({ 'tls-cert': path.join(folder, 'gone.pem'), 'tls-key': path.join(folder, 'gone.pem') }),
    settings({ redis: 'redis://127.0.0.1' }),
    settings({ 'max-bytes': '20MB', 'upload-memory': '1MB' }),
    settings({ 'delivery-widths': '5' }),
    settings({ 'delivery-key': 'short' }),
    settings({ 'delivery-key': 'x'.repeat(40), 'delivery-source': 'a' }),
    settings({ 'delivery-key': 'x'.repeat(40), 'delivery-source': 'a b=/x' }),
    settings({ 'delivery-key': 'x'.repeat(40), 'delivery-source': 'a=ftp://x' }),
    settings({ 'delivery-key': 'x'.repeat(40), 'delivery-source': 'a=s3:https://s3.example/bucket' }),
    settings({ 'delivery-key': 'x'.repeat(40), 'delivery-source': 'a=/x,a=/y' }),
    settings({ 'delivery-key': 'x'.repeat(40), 'delivery-preset': 'w=w=5' }),
    settings({ 'keys-file': path.join(folder, 'gone.txt') }),
    settings({ key: 'sha256:x' }),
  )
  const key = 'a'.repeat(20)
  await says(
    'Keys',
    () => parseKeys('--key', 'é'),
    () => parseKeysFile('keys.txt', '* rate=1/s\n* rate=2/s\n'),
    () => parseKeysFile('keys.txt', `shop=${key}\nblog=${key}\n`),
    () => parseKeysFile('keys.txt', '* expires=never\n'),
    () => parseKeysFile('keys.txt', `shop=${key} fast\n`),
    () => parseKeysFile('keys.txt', `shop=${key} rate=1/s rate=2/s\n`),
    () => parseKeysFile('keys.txt', `shop=${key} rat=1/s\n`),
    () => parseKeysFile('keys.txt', `shop=${key} operations=x\n`),
    () => parseKeysFile('keys.txt', `shop=${key} expires=x\n`),
    () => assertAllowed({ operations: ['shrink'] } as never, 'store'),
  )
  await says('pixpress keys', keys('--help'), keys(), keys('lost'), keys('add'), keys('add', 'the shop'))
  await says(
    'pixpress keys',
    keys('list', '--data', 'gone'),
    keys('add', 'shop', '--all'),
    keys('list', '--rate', '1/s'),
  )
  await says('pixpress keys', keys('add', 'shop'), keys('list'), keys('limit', 'shop'), keys('revoke', 'gone'))
  await says('pixpress keys', keys('limit', 'shop', '--rate', '1/s'), keys('revoke', 'shop'), keys('revoke', 'shop'))
  await writeFile(path.join(folder, 'file'), '')
  await says('pixpress storage', storage('--help'), storage(), storage('copy', 'x'), storage('backup'))
  await says('pixpress storage', storage('backup', 'new', '--data', 'gone'), storage('verify', 'data'))
  await says(
    'pixpress storage',
    storage('backup', 'data', '--data', 'data'),
    storage('backup', 'new', '--data', 'data'),
  )
  await says('pixpress storage', storage('verify', 'new'), storage('restore', 'new', '--data', 'data'))

  const presets = new Map([['hero', 'w=5']])
  await says(
    'Delivery',
    () => readPath('/i/x'),
    () => readPath('/i/s/-/photos/%zz'),
    () => readOperations('preset=heor', presets),
    () => readOperations('w=5;w=6', presets),
    () => readOperations('w', presets),
    () => readOperations('w=*', presets),
    () => readOperations('lossless=5', presets),
    () => readOperations('widht=5', presets),
    () => readOperations('w=x', presets),
  )
  await says(
    'JSON of requests',
    () => parseJson(Buffer.from('{')),
    () => asObject('resize', 7),
    () => assertKnownKeys('', { resise: 1 }, ['resize']),
  )
  await says(
    'Damaged storage',
    () => parseCount('x'),
    () => parseOutputRecord('x', 'a'),
    () => parseOutputRecord('{}', 'a'),
    () => parseKeyText('x'),
    () => parseKeyText('{}'),
  )

  const text = Buffer.from('no image')
  await says(
    'Answers of the server',
    asked('GET', '/nothing'),
    asked('GET', '/shrink'),
    asked('POST', '/shrink', { authorization: 'Basic x' }),
    asked('POST', '/shrink', { body: Buffer.alloc(0) }),
    asked('POST', '/shrink', { body: text }),
    asked('POST', '/shrink?types=some', { body: text }),
    asked('POST', '/shrink', { json: {} }),
    asked('POST', '/shrink', { json: { source: 7 } }),
    asked('POST', '/shrink', { json: { source: { url: 'x' } } }),
    asked('POST', '/shrink', { json: { source: { url: 'ftp://x' } } }),
    asked('POST', '/shrink', { json: { source: { url: 'http://127.0.0.1/a.png' } } }),
    asked('POST', '/output/' + 'a'.repeat(32), { json: { resize: { method: 'fit' } } }),
    asked('GET', '/output/' + 'a'.repeat(32)),
  )
  await wording.keep(import.meta.dirname, {
    least: 0.4,
    masks: [
      [folder, '<folder>'],
      [os.tmpdir(), '/tmp'],
    ],
    without: ['MACHINE_UNFIT'],
  })
})

function refusalOf(call: () => unknown): string | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    return `${(error as { code?: string }).code}: ${(error as Error).message}`
  }
}

type Command = typeof keysCommand | typeof storageCommand

/** Runs a command. Keys, times and sizes differ from run to run. */
async function said(command: Command, argv: string[]): Promise<string> {
  const out: string[] = []
  const host = { cwd: folder, env: { PIXPRESS_DATA: 'data' }, out: (text: string) => void out.push(text) }
  const refused = await command(argv, host as never).then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  const shown = `${out.join('')}${refused}`
    .replaceAll(/\b20\d\d-\d\d-\d\d(?:T[\d:.]+Z?)?/g, '(day)')
    .replaceAll(/\b[\da-f]{16}\b/g, '(id)')
    .replaceAll(/^ {2}\S{32}$/gm, '  (key)')
    .replaceAll(/(?<=\s)\S{6}…/g, '(start)')
    .replaceAll(/begins with \S+/g, 'begins with …')
    .replaceAll(/\d[\d.]*(?= ?(?:k?B|MB|ms|s)\b)/g, 'N')
  return `$ ${argv.join(' ')}\n${shown.trimEnd()}\n`
}

const settings = (given: Partial<Record<FlagName, string>>) => () =>
  refusalOf(() => resolveSettings(given)) ?? `${JSON.stringify(given)}: is taken`

const keys =
  (...argv: string[]) =>
  () =>
    said(keysCommand, argv)

const storage =
  (...argv: string[]) =>
  () =>
    said(storageCommand, argv)

const asked =
  (method: string, at: string, rest: object = {}) =>
  async (): Promise<string> => {
    const answer = await server.send(method, at, rest)
    const { error, message } = answer.json<{ error: string; message: string }>()
    return `${method} ${at}: ${answer.status} ${error}: ${message}`
  }
