import { spawn } from 'node:child_process'
import { endDaemon, freePort, until } from '@pixpress/testkit'
import type { Project } from '@pixpress/testkit'

/** Faults of the page that the dev server shows: every image of it is answered with an image. */
export async function judgeDevServer(project: Project, command: readonly string[]): Promise<string[]> {
  const port = await freePort()
  const { NODE_ENV: _, VITEST: __, ...inherited } = process.env
  const server = spawn(process.execPath, [...command, '--port', String(port)], {
    cwd: project.root,
    env: { ...inherited, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
    stdio: 'ignore',
  })
  try {
    const site = `http://127.0.0.1:${port}/`
    let page = ''
    const ask = async (): Promise<void> => {
      const response = await fetch(site)
      page = await response.text()
      if (response.status !== 200) throw new Error(`${site} answers ${response.status}`)
    }
    await until('The dev server', ask, 120_000)
    const urls = [...page.matchAll(/<img[^>]*?\ssrc="([^"]+)"/g)].map(([, url]) =>
      url!.replaceAll('&#38;', '&').replaceAll('&amp;', '&'),
    )
    const faults = urls.length === 0 ? ['the page of the dev server has no images'] : []
    for (const url of urls.filter((each) => !each.startsWith('data:'))) {
      const response = await fetch(new URL(url, site))
      const type = response.headers.get('content-type') ?? ''
      await response.arrayBuffer()
      if (response.status !== 200 || !type.startsWith('image/'))
        faults.push(`${url} is answered with ${response.status} ${type}`)
    }
    return faults
  } finally {
    await endDaemon(server)
  }
}
