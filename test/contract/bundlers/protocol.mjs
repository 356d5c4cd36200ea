import { cpSync, writeSync } from 'node:fs'

/** Stands before the one line of standard output that is the driver's answer. */
const MARK = '@@pixpress-result '

/**
 * Runs one production build as `{ root, outDir, options, from }` in the first argument says, and prints what came of
 * it. Every bundler has a driver like this, in a process of its own: plugin sessions and caches live as long as the
 * process does.
 * @param {string} bundler
 * @param {(job: { root: string, outDir: string, options: object }, warn: (message: string) => void,
 * pixpress: (options: object) => any) => Promise<{ entry?: string, page?: string }>} build Gives the emitted entry or
 * page,
 * relative to the output folder.
 */
export async function drive(bundler, build) {
  const { from, copied, ...job } = JSON.parse(process.argv[2])
  const warnings = []
  const printed = []
  const warn = (message) => void warnings.push(String(message))
  for (const name of ['warn', 'error']) {
    const print = console[name]
    console[name] = (...parts) => {
      if (name === 'warn') warn(parts.join(' '))
      printed.push(parts.join(' '))
      print.apply(console, parts)
    }
  }
  let answered = false
  const answer = (result) => {
    if (answered) return
    answered = true
    const { maxRSS } = process.resourceUsage()
    writeSync(1, `\n${MARK}${JSON.stringify({ warnings, peakBytes: maxRSS * 1024, ...result })}\n`)
  }
  // A bundler that ends the process itself has said why.
  process.on('exit', (code) => answer({ ok: code === 0, error: printed.join('\n') }))
  try {
    const plugin = await pluginFor(bundler, from)
    const copy = () => cpSync(copied, job.outDir, { recursive: true })
    const both = copied === undefined ? plugin : (options) => withCopy(plugin(options), bundler, copy)
    answer({ ok: true, ...(await build(job, warn, both)) })
  } catch (error) {
    process.exitCode = 1
    answer({ ok: false, error: describe(error) })
  }
}

/** The plugin of the bundler's own entry, of the package's default export, or none. */
async function pluginFor(bundler, from) {
  // Bundlers take no plugin for none.
  if (from === 'nothing') return () => undefined
  if (from !== 'default export') return (await import(`unplugin-pixpress/${bundler}`)).default
  return (await import('unplugin-pixpress')).default[bundler]
}

/** Has another plugin copy files into the output past the bundler, in the hook where such plugins do that. */
function withCopy(plugin, bundler, copy) {
  const { name } = plugin
  const compiler = { apply: ({ hooks }) => hooks.afterEmit.tap('beside', copy) }
  const both = (first) => (target) => (first(target), (plugin.apply ?? plugin.setup).call(plugin, target))
  if (bundler === 'webpack' || bundler === 'rspack') return { apply: both(compiler.apply) }
  if (bundler === 'rsbuild')
    return { name, setup: both((api) => api.modifyRspackConfig((_, { appendPlugins }) => appendPlugins(compiler))) }
  if (bundler === 'esbuild' || bundler === 'bun') return { name, setup: both((build) => build.onEnd(copy)) }
  return [plugin, { name: 'beside', generateBundle: copy }]
}

/** All that a failed build says: bundlers put the plugin's message into nested errors. */
function describe(error) {
  const nested = Array.isArray(error?.errors)
    ? error.errors.map((inner) => inner?.message ?? inner?.text ?? String(inner))
    : []
  return [error?.message ?? String(error), ...nested].join('\n')
}
