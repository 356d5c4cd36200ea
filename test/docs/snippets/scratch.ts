import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import {
  createTestAuthority,
  photo,
  serverNode,
  startConnectProxy,
  startImageServer,
  transparentGraphic,
} from '@pixpress/testkit'
import { pack } from '../../packed/pack.ts'

/** The keys that the image service knows. */
export const KEY = 'only-tests-use-this-key-snippets'

/** Packages that are no part of the project, from the workspace. */
const OTHERS = ['vite', 'webpack', '@vitejs/plugin-react', '@vitejs/plugin-vue', '@types/node'] as const

const TEST_MODULES = path.join(import.meta.dirname, '../../node_modules')

/** A project outside of the workspace, with the packages as they are published, images and an image service. */
export interface Scratch {
  /** Names of the packages that were installed from their tarballs. */
  readonly installed: ReadonlySet<string>
  /** `https://127.0.0.1:<port>` of an image service that asks for `KEY`. */
  readonly endpoint: string
  /** `http://127.0.0.1:<port>` of a proxy. */
  readonly proxy: string
  /** A folder of the project for one page, with example images. */
  folderOf(page: string): Promise<string>
  /** Runs a shell's text to its end, or until it has printed something. */
  shell(cwd: string, script: string, until?: RegExp): Promise<Ended>
  dispose(): Promise<void>
}

export interface Ended {
  /** `null` where it was ended after it had printed what was waited for. */
  readonly code: number | null
  readonly output: string
}

export async function createScratch(): Promise<Scratch> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-snippets-')))
  const authority = await createTestAuthority()
  const server = await startImageServer({ key: KEY })
  const proxy = await startConnectProxy()
  const env = {
    ...userEnvironment(),
    // The server needs this Node.
    PATH: `${path.dirname(serverNode())}${path.delimiter}${process.env.PATH}`,
    NODE_EXTRA_CA_CERTS: path.join(root, 'ca.pem'),
    CURL_CA_BUNDLE: path.join(root, 'ca.pem'),
    PIXPRESS_PORT: '0',
    PIXPRESS_METRICS_PORT: 'none',
    ...Object.fromEntries(['KEY', 'IMAGES_KEY', 'IMAGES_KEY_1', 'IMAGES_KEY_2'].map((name) => [name, KEY])),
    IMAGES_SIGNING_KEY: 'a'.repeat(32),
  }
  const shell: Scratch['shell'] = (cwd, script, until) => runShell({ cwd, env }, script, until)
  const dispose = async (): Promise<void> => {
    await Promise.all([server.close(), proxy.close()])
    await rm(root, { recursive: true, force: true })
  }

  try {
    const tarballs = await pack(['core', 'client', 'server', 'cli', 'unplugin'])
    const dependencies = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]))
    await writeFile(path.join(root, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
    await writeFile(path.join(root, 'ca.pem'), server.ca)
    const exampleFiles = await makeExampleFiles()
    const { code, output } = await shell(root, 'npm install --prefer-offline --no-audit --no-fund --loglevel=error')
    if (code !== 0) throw new Error(`The packages cannot be installed: ${output}`)
    for (const name of OTHERS) await link(root, name)
    return {
      installed: new Set(tarballs.keys()),
      endpoint: server.endpoint,
      proxy: `http://${proxy.host}`,
      async folderOf(page) {
        const folder = path.join(root, page.replaceAll(/\W/g, '-'))
        for (const [name, bytes] of Object.entries(exampleFiles)) {
          await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
          await writeFile(path.join(folder, name), bytes)
        }
        const files = { 'server.pem': authority.server.cert, 'server.key': authority.server.key }
        for (const [name, text] of Object.entries(files))
          await writeFile(path.join(folder, name), text, { mode: 0o600 })
        await mkdir(path.join(folder, 'certificates'), { recursive: true })
        await writeFile(path.join(folder, 'certificates', 'ca.pem'), server.ca)
        return folder
      },
      shell,
      dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** Makes the files that the pages' snippets name, and one image for each folder that they name. */
async function makeExampleFiles(): Promise<Record<string, Uint8Array | string>> {
  const [jpeg, png, logo] = await Promise.all([
    photo(200, 130, 1).jpeg(96),
    photo(160, 100, 2).png(),
    transparentGraphic(80, 60).png(),
  ])
  const tiff = await sharp(png).tiff({ compression: 'deflate' }).toBuffer()
  const images = {
    'hero.jpg': jpeg,
    'temple.jpg': jpeg,
    'photo.jpg': jpeg,
    'hero.png': png,
    'coffee.png': png,
  }
  return {
    ...images,
    ...Object.fromEntries(Object.entries(images).map(([name, bytes]) => [`src/${name}`, bytes])),
    'scan.tif': tiff,
    'logo.png': logo,
    'image.png': logo,
    'public/images/card.png': png,
    'photos/beach.jpg': jpeg,
    'index.html': '<!doctype html><title>Page</title><script type="module" src="./src/main.js"></script>',
    'src/main.js': "import hero from './hero.jpg'\nconsole.log(hero)\n",
  }
}

async function link(root: string, name: string): Promise<void> {
  const place = path.join(root, 'node_modules', name)
  await mkdir(path.dirname(place), { recursive: true })
  const target = name.startsWith('@types/')
    ? path.join(TEST_MODULES, '../../node_modules', name)
    : path.join(TEST_MODULES, name)
  await symlink(await realpath(target), place, 'junction')
}

/** Without what vitest and this project's own tools add. */
function userEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, VITEST: __, FORCE_COLOR: ___, CI: ____, NODE_OPTIONS: _____, ...rest } = process.env
  return { ...rest, NO_COLOR: '1' }
}

function runShell(
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  script: string,
  until: RegExp | undefined,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A group of its own: what the shell has started ends with it.
    const child = spawn('sh', ['-e', '-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let seen = false
    const take = (piece: Buffer): void => {
      output += piece.toString()
      if (seen || until?.test(output) !== true) return
      seen = true
      process.kill(-child.pid!, 'SIGKILL')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: seen ? null : code, output }))
  })
}
