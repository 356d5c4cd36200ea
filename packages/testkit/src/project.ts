import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runProcess } from './child-process.ts'
import type { RunOptions, RunResult } from './child-process.ts'
import { TEST_MODULES } from './tools.ts'

/** Options of a temporary project. */
export interface ProjectOptions {
  /** Path inside the project → contents. Beats a file of `from`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Absolute path of a folder that is copied first. */
  readonly from?: string
  /** Packages of `test/node_modules` that the project can import. Default: `unplugin-pixpress` alone. */
  readonly packages?: readonly string[]
}

/** A project of its own in a temporary folder, with a real `node_modules`: its caches are nobody else's. */
export interface Project {
  /** Absolute, without symbolic links. */
  readonly root: string
  /** Returns the absolute path of a file in the project. */
  path(...parts: string[]): string
  write(file: string, data: string | Uint8Array): Promise<void>
  read(file: string): Promise<Buffer>
  readText(file: string): Promise<string>
  remove(file: string): Promise<void>
  /**
   * Returns the files below a folder (default: the project), relative to it, with forward slashes, sorted by code
   * units. `node_modules` is left out unless the folder is inside it. A folder that does not exist has no files.
   */
  list(folder?: string): Promise<string[]>
  /**
   * Runs Node in the project: a file (absolute or relative to the project, by its extension), or the text of an ES
   * module, whose relative imports start at the project's root. Arguments begin at `process.argv[2]` in both cases.
   */
  run(script: string, options?: RunOptions): Promise<RunResult>
  /** Runs any program in the project. */
  exec(command: string, options?: RunOptions): Promise<RunResult>
  dispose(): Promise<void>
}

/**
 * Makes a project `pixpress-<name>-XXXXXX` in the system's temporary folder.
 * @throws Error when a package is not installed for the tests
 */
export async function createProject(name: string, options: ProjectOptions = {}): Promise<Project> {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), `pixpress-${name}-`)))
  const inside = (...parts: string[]): string => path.resolve(root, ...parts)
  const project: Project = {
    root,
    path: inside,
    async write(file, data) {
      await mkdir(path.dirname(inside(file)), { recursive: true })
      await writeFile(inside(file), data)
    },
    read: (file) => readFile(inside(file)),
    readText: (file) => readFile(inside(file), 'utf8'),
    remove: (file) => rm(inside(file), { recursive: true, force: true }),
    list: (folder = '.') => listFiles(inside(folder)),
    run(script, runOptions = {}) {
      // Node takes the first argument after the text of a script for an argument, and after a file's name too.
      const target = isFileName(script) ? [inside(script)] : ['--input-type=module', '--eval', script, '[eval]']
      return project.exec(process.execPath, { ...runOptions, args: [...target, ...(runOptions.args ?? [])] })
    },
    exec: (command, runOptions) => runProcess(command, { ...runOptions, cwd: root }),
    // Windows holds a lock for a moment after a process has ended.
    dispose: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
  try {
    await project.write('package.json', JSON.stringify({ name, version: '0.0.0', private: true, type: 'module' }))
    if (options.from !== undefined) {
      await cp(options.from, root, {
        recursive: true,
        filter: (source) => path.basename(source) !== 'node_modules',
      })
    }
    for (const [file, data] of Object.entries(options.files ?? {})) await project.write(file, data)
    await linkPackages(root, options.packages ?? ['unplugin-pixpress'])
  } catch (error) {
    await project.dispose()
    throw error
  }
  return project
}

async function linkPackages(root: string, packages: readonly string[]): Promise<void> {
  await mkdir(path.join(root, 'node_modules'), { recursive: true })
  for (const name of packages) {
    const target = await realpath(path.join(TEST_MODULES, name)).catch((error: unknown) => {
      throw new Error(`'${name}' is not among the packages of test/package.json`, { cause: error })
    })
    const link = path.join(root, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(target, link, 'junction')
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.startsWith('node_modules/'))
    .sort()
}

function isFileName(script: string): boolean {
  return !script.includes('\n') && /\.[cm]?[jt]s$/.test(script)
}
