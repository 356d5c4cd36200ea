import { existsSync } from 'node:fs'
import path from 'node:path'
import { rspack } from '@rspack/core'
import { drive } from './protocol.mjs'
import { compile, configuration } from './webpack-like.mjs'

await drive('rspack', (job, warn, pixpress) => {
  const copied = existsSync(path.join(job.root, 'public'))
  const plugins = [
    pixpress(job.options),
    ...(copied ? [new rspack.CopyRspackPlugin({ patterns: [{ from: 'public' }] })] : []),
  ]
  return compile(rspack(configuration(job, { extractCss: rspack.CssExtractRspackPlugin, plugins })), warn)
})
