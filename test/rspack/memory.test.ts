import { rspack } from '@rspack/core'
import type { Configuration } from '@rspack/core'
import pixpress from 'unplugin-pixpress/rspack'
import { MEMORY, compile, configuration, memoryOverDisk } from '../webpack/memory.ts'
import { describeMemory } from '../webpack/suites/memory.ts'

describeMemory('rspack', async (root, options, memory) => {
  const extractCss = {
    loader: rspack.CssExtractRspackPlugin.loader,
    plugin: new rspack.CssExtractRspackPlugin({ filename: '[name].css' }),
  }
  const settings = configuration(root, extractCss, pixpress(options))
  const inMemory = { experiments: { useInputFileSystem: [new RegExp(`^${MEMORY}`)] } }
  const compiler = rspack({ ...settings, ...(memory !== undefined && inMemory) } as Configuration)
  if (memory !== undefined) {
    compiler.inputFileSystem = memoryOverDisk(memory) as unknown as typeof compiler.inputFileSystem
    compiler.outputFileSystem = memory as unknown as typeof compiler.outputFileSystem
  }
  await compile(compiler as unknown as Parameters<typeof compile>[0])
})
