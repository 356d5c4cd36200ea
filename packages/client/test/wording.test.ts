import { Wording, photo, startImageService } from '@pixpress/testkit'
import type { ScriptedAnswer } from '@pixpress/testkit'
import { it } from 'vitest'
import { createClient } from '../src/index.ts'
import type { ClientOptions } from '../src/index.ts'
import { createClient as createForBrowsers } from '../src/web.ts'

it('says every sentence in the words of the snapshot', async () => {
  const wording = new Wording()
  const says = wording.says.bind(wording)
  const service = await startImageService()
  const png = await photo(96, 64).png()

  await says('Options', () => createClient(7 as never) as unknown, open({ timeOut: 5 }), open({ key: 'a b' }))
  for (const endpoint of ['x', 'ftp://x', 'http://x.example', 'https://u:p@x.example', 'https://x.example/?a'])
    await says('Options', open({ endpoint }))
  for (const proxy of ['x', 'ftp://x', 'http://u:%zz@x.example']) await says('Options', open({ proxy }))
  await says('Options', open({ timeout: 0 }), open({ retries: -1 }), open({ appIdentifier: 'é' }))
  await says(
    'Options',
    () => createForBrowsers({ key: 'k', endpoint: 'https://x.example', ca: 'x' } as never) as unknown,
  )

  const send = (options: Partial<ClientOptions>, answer?: ScriptedAnswer) => (): Promise<unknown> => {
    if (answer !== undefined) service.script.push(answer)
    return createClient({ key: 'test-key', endpoint: service.endpoint, retries: 0, ...options })
      .fromBuffer(png)
      .toBuffer()
  }
  await says(
    'Requests',
    send({ endpoint: 'http://127.0.0.1:1' }),
    send({ key: 'wrong' }),
    send({}, (response) => void response.writeHead(502).end('<html>')),
    send({}, (response) => void response.writeHead(302, { Location: 'https://x.example' }).end()),
    send({}, (response) => void response.writeHead(201).end()),
    send({ timeout: 100 }, () => undefined),
    send({ maxResponseSize: 10 }),
    send({ proxy: 'http://127.0.0.1:1' }),
    async () => {
      const client = createForBrowsers({ key: 'test-key', endpoint: service.endpoint })
      return client.fromFile('a.png').toBuffer()
    },
  )
  await service.close()
  await wording.keep(import.meta.dirname, { least: 0.4, masks: [[service.endpoint, 'http://127.0.0.1:8080']] })
})

const open = (options: object) => () =>
  createClient({ key: 'k', endpoint: 'https://x.example', ...options } as ClientOptions) as unknown
