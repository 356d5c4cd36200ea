import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import pixpress from 'unplugin-pixpress/webpack'
import webpack from 'webpack'
import type { Configuration } from 'webpack'
import { compile, configuration, memoryOverDisk } from './memory.ts'
import { describeMemory } from './suites/memory.ts'

describeMemory('webpack', async (root, options, memory) => {
  const extractCss = {
    loader: MiniCssExtractPlugin.loader,
    plugin: new MiniCssExtractPlugin({ filename: '[name].css' }),
  }
  const compiler = webpack(configuration(root, extractCss, pixpress(options)) as Configuration)!
  if (memory !== undefined) {
    compiler.inputFileSystem = memoryOverDisk(memory) as unknown as typeof compiler.inputFileSystem
    compiler.outputFileSystem = memory as unknown as typeof compiler.outputFileSystem
  }
  await compile(compiler as unknown as Parameters<typeof compile>[0])
})
