import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { root } from '../bootstrap.mjs'

/** Users' TypeScript reads the declarations so; `dev`, which leads to our sources, is left out. */
const COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [path.join(root, 'node_modules', '@types')],
}

const NONE = { default: { logLevel: ExtractorLogLevel.None } }

/**
 * Describes the public interface of a package from its built declarations: names, parameters, types, and the types that
 * they are made of. Comments are no part of it.
 * @returns {Map<string, string>} the path of each entry's report → its text
 */
export function extractReports({ folder, entries }) {
  const output = mkdtempSync(path.join(tmpdir(), 'pixpress-api-'))
  try {
    const files = entries.map(({ types }) => path.join(root, types))
    const configs = files.map((file, at) => configure({ folder, file, files, output, name: `${at}` }))
    // One program for all entries: they share nearly all of their files.
    const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files })
    const texts = configs.map((config, at) => {
      const errors = []
      const messageCallback = (message) => {
        if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.formatMessageWithLocation(root))
        message.handled = true
      }
      Extractor.invoke(config, { localBuild: true, compilerState, messageCallback })
      if (errors.length > 0) throw new Error(`${files[at]} cannot be read: ${errors.join('\n')}`)
      return withoutComments(readFileSync(path.join(output, `${at}.api.md`), 'utf8'))
    })
    const index = texts[entries.findIndex(({ name }) => name === 'index')] ?? ''
    return new Map(texts.map((text, at) => [entries[at].report, text === index ? text : withoutRepeated(text, index)]))
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

/** The configuration of API Extractor for one entry, whose report becomes `<output>/<name>.api.md`. */
function configure({ folder, file, files, output, name }) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: path.join(root, folder, 'package.json'),
    configObject: {
      projectFolder: path.join(root, folder),
      mainEntryPointFilePath: file,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files } },
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFolder: output,
        reportTempFolder: path.join(output, 'temporary'),
        reportFileName: name,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: NONE,
        tsdocMessageReporting: NONE,
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      },
    },
  })
}

/** A report without what it says of comments: those change without the interface. */
export function withoutComments(report) {
  return report
    .replaceAll(/^ *\/\/ \(undocumented\)\n/gm, '')
    .replaceAll(' (undocumented)\n', '\n')
    .replace('// (No @packageDocumentation comment for this package)\n\n', '')
}

/** A report without the types that it only needs and that the index of the package describes in the same words. */
export function withoutRepeated(report, index) {
  const described = new Set(index.split('\n\n').map((block) => block.replace(/^export /m, '')))
  const isKept = (block) => !/^\/\/ @\w+\n(?!export )/.test(block) || !described.has(block)
  const kept = report.split('\n\n').filter(isKept)
  return kept.join('\n\n')
}
