import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import HtmlWebpackPlugin from 'html-webpack-plugin'
import { createFsFromVolume, Volume } from 'memfs'
import type { IFs } from 'memfs'

/** A folder that is nowhere on the disk. */
export const MEMORY = '/pixpress-memory'

/** A file system in memory with these files below `MEMORY`. */
export function createMemory(files: Readonly<Record<string, string | Uint8Array>>): IFs {
  const memory = createFsFromVolume(new Volume())
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(MEMORY, name)
    memory.mkdirSync(path.dirname(file), { recursive: true })
    memory.writeFileSync(file, content)
  }
  return memory
}

/**
 * The file system of a compiler: memory for everything below `MEMORY`, the disk for all else, where its loaders are.
 */
export function memoryOverDisk(memory: IFs): typeof fs {
  return new Proxy(fs, {
    get(disk, name) {
      const onDisk: unknown = Reflect.get(disk, name)
      const inMemory: unknown = Reflect.get(memory, name)
      if (typeof onDisk !== 'function' || typeof inMemory !== 'function') return onDisk
      return (target: unknown, ...rest: unknown[]): unknown => {
        const isInMemory = typeof target === 'string' && (target === MEMORY || target.startsWith(`${MEMORY}/`))
        const method: (...args: unknown[]) => unknown = (isInMemory ? inMemory : onDisk) as typeof method
        return method.call(isInMemory ? memory : disk, target, ...rest)
      }
    },
  })
}

/** Everything below a folder: name → bytes. */
export function filesIn(files: Pick<typeof fs, 'readdirSync' | 'readFileSync'>, folder: string): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  const visit = (place: string): void => {
    for (const entry of files.readdirSync(place, { withFileTypes: true })) {
      const file = path.join(place, entry.name)
      if (entry.isDirectory()) visit(file)
      else found.set(path.relative(folder, file).split(path.sep).join('/'), Buffer.from(files.readFileSync(file)))
    }
  }
  visit(folder)
  return found
}

const loader = (name: string): string => fileURLToPath(import.meta.resolve(name))

/** The configuration of webpack and Rspack alike for a project with CSS files and an HTML template. */
export function configuration(root: string, extractCss: { loader: string; plugin: object }, pixpress: object): object {
  return {
    mode: 'production',
    context: root,
    entry: './src/main.js',
    output: {
      path: path.join(root, 'dist'),
      publicPath: '/',
      filename: '[name].js',
      assetModuleFilename: 'assets/[name]-[contenthash][ext]',
    },
    module: {
      rules: [
        { test: /\.css$/, use: [extractCss.loader, loader('css-loader')], type: 'javascript/auto' },
        { test: /\.html$/, loader: loader('html-loader') },
        {
          test: /\.(jpe?g|png|webp|avif|gif|svg)$/i,
          oneOf: [
            { resourceQuery: /^\?raw$/, type: 'asset/source' },
            { resourceQuery: /^\?inline$/, type: 'asset/inline' },
            { type: 'asset/resource' },
          ],
        },
      ],
    },
    plugins: [extractCss.plugin, new HtmlWebpackPlugin({ template: path.join(root, 'index.html') }), pixpress],
  }
}

interface Stats {
  toJson(options: object): { errors?: readonly { message: string }[]; warnings?: readonly { message: string }[] }
}

interface Compiler {
  run(done: (error: Error | null, stats?: Stats) => void): void
  close(done: (error?: Error | null) => void): void
}

/**
 * Runs a compiler once and closes it.
 * @throws Error with everything it said
 */
export async function compile(compiler: Compiler): Promise<void> {
  const stats = await new Promise<Stats>((resolve, reject) => {
    compiler.run((error, result) => (result === undefined ? reject(error ?? new Error('No stats.')) : resolve(result)))
  })
  await new Promise<void>((resolve, reject) => {
    compiler.close((error) => (error ? reject(error) : resolve()))
  })
  const { errors = [] } = stats.toJson({ all: false, errors: true })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
}
