/**
 * Runs one dev server until standard input ends, and prints where it listens. Arguments: the bundler, and
 * `{ root, options }` as JSON.
 */
import path from 'node:path'

const MARK = '@@listening '
const HOST = '127.0.0.1'

const [bundler, job] = process.argv.slice(2)
const { root, options } = JSON.parse(job)

const SERVERS = { vite: serveVite, webpack: serveWebpack }
const { url, close } = await SERVERS[bundler]()
console.log(`${MARK}${url}`)
process.stdin.resume()
process.stdin.on('end', async () => {
  await close()
  process.exit()
})

async function serveVite() {
  const { createServer } = await import('vite')
  const { default: pixpress } = await import('unplugin-pixpress/vite')
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [pixpress(options)],
    server: { host: HOST, port: 0 },
  })
  await server.listen()
  return { url: server.resolvedUrls.local[0], close: () => server.close() }
}

async function serveWebpack() {
  const { default: webpack } = await import('webpack')
  const { default: WebpackDevServer } = await import('webpack-dev-server')
  const { default: MiniCssExtractPlugin } = await import('mini-css-extract-plugin')
  const { default: pixpress } = await import('unplugin-pixpress/webpack')
  const { configuration } = await import('../contract/bundlers/webpack-like.mjs')
  const outDir = path.join(root, 'served')
  const compiler = webpack({
    ...configuration({ root, outDir }, { extractCss: MiniCssExtractPlugin, plugins: [pixpress(options)] }),
    mode: 'development',
  })
  const settings = {
    host: HOST,
    port: 'auto',
    static: { directory: path.join(root, 'public') },
    client: { logging: 'error', overlay: false },
    open: false,
  }
  const server = new WebpackDevServer(settings, compiler)
  await server.start()
  return { url: `http://${HOST}:${server.server.address().port}/`, close: () => server.stop() }
}
