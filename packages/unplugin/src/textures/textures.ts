import path from 'node:path'
import { EXTENSION_PATTERN } from '@pixpress/core/internal'
import { relativePath } from '../base/paths.ts'
import type { LibraryKind } from './libraries.ts'
import { givenImports, shownImports } from './imported-names.ts'
import { createMentionedFiles } from './mentioned-files.ts'
import type { Mention, MentionKind } from './reading.ts'
import { isAskedForByName, isNamedLikeMap, isNamedLikeTile } from './names.ts'
import { createModelFolders } from './model-folders.ts'
import { createFileReader, librariesOfPackage, listFiles } from './project-files.ts'

/** Why a PNG is taken for a texture, whose values a program reads. */
export type TextureReason = 'model' | 'shader' | 'sheet' | 'loader' | 'beside' | 'name' | 'tile' | 'library'

/** The end of the sentence `It stays lossless, as …`, for one and for several. */
export const REASONS: Readonly<Record<TextureReason, readonly [one: string, several: string]>> = {
  model: ['a model names it', 'a model names them'],
  shader: ['a shader names it', 'a shader names them'],
  sheet: ['the description of a sheet, a font or a material names it', 'descriptions of sheets, fonts or materials name them'],
  loader: ['a script loads it as a texture', 'scripts load them as textures'],
  beside: ['it lies beside a model', 'they lie beside a model'],
  name: ['it is named like a map of data', 'they are named like maps of data'],
  tile: ['it is named like a tile of a map', 'they are named like tiles of a map'],
  library: [
    'the project draws with a library for scenes or games, and no page or stylesheet shows it',
    'the project draws with a library for scenes or games, and no page or stylesheet shows them',
  ],
} // prettier-ignore

/** Describes what tells the textures of a project from its pictures. */
export interface Textures {
  /**
   * Why a PNG may be a texture whose values a program reads; `undefined` where nothing says so, or a page or a
   * stylesheet of the project shows it.
   * @param isCopied whether it is copied as it is, so that only URLs refer to it
   */
  reasonFor(file: string, isCopied: boolean): TextureReason | undefined
  /**
   * The file of the project, relative to its folder, that gives an image of any format to a reader that is not a
   * browser; `undefined` where none does.
   */
  givenBy(file: string): string | undefined
  /**
   * Tells which folder is copied as it is, and where to. The former is looked through even where it is not in the
   * project's folder, the latter never: what a build has written must not decide about the next.
   */
  expectCopies(from: string, to: string): void
  /** Has the project looked through anew for the next build. */
  forget(): void
}

/** Describes what was found in a project. */
interface Knowledge {
  readonly shown: ReadonlySet<string>
  readonly named: ReadonlyMap<string, TextureReason>
  /** The files that give images to readers other than browsers, by image. */
  readonly given: ReadonlyMap<string, string>
  readonly libraries: ReadonlySet<LibraryKind>
}

const RASTER = new RegExp(String.raw`(?!\.svg)${EXTENSION_PATTERN}$`, 'i')

/** Milliseconds that are believed without another look, for dev servers. */
const BELIEVED = 10_000

/** The first of several reasons that name an image is told. */
const ORDER: readonly MentionKind[] = ['model', 'shader', 'sheet', 'loader']

/**
 * Makes the knowledge of a project.
 * @param root absolute path of the project's folder; nothing is read before the first question
 */
export function createTextures(root: string): Textures {
  const copied = new Set<string>()
  const outputs = new Set<string>()
  const read = createFileReader()
  const models = createModelFolders()
  let knowledge: { readonly of: Knowledge; readonly since: number } | undefined

  function known(): Knowledge {
    if (knowledge === undefined || performance.now() - knowledge.since > BELIEVED)
      knowledge = { of: lookThrough(), since: performance.now() }
    return knowledge.of
  }

  function lookThrough(): Knowledge {
    const outside = [...copied].filter((folder) => path.relative(root, folder).startsWith('..'))
    const files = [root, ...outside.sort()].flatMap((folder) => listFiles(folder, outputs))
    const images = files.filter((file) => RASTER.test(file))
    const all = files.flatMap((file) => {
      const facts = read(file)
      return facts === undefined ? [] : [{ file, ...facts }]
    })
    const mentioned = createMentionedFiles(images, [root, ...copied])
    const byKind = new Map<MentionKind, Map<string, string>>()
    const programs = all.flatMap(({ names }) => (names === undefined ? [] : [names]))
    const readers = new Set(programs.flatMap(({ given }) => given.exported))
    for (const { file, mentions, names } of all) {
      const imported =
        names === undefined
          ? []
          : [
              ...asKind('shown', shownImports(names, programs)),
              ...asKind('given', [...names.given.urls, ...givenImports(names, programs, readers)]),
            ]
      for (const mention of [...mentions, ...imported]) {
        const found = byKind.get(mention.kind) ?? new Map<string, string>()
        byKind.set(mention.kind, found)
        for (const image of mentioned.of(mention, file)) if (!found.has(image)) found.set(image, file)
      }
    }
    const sheets = new Set(all.filter(({ isSheet }) => isSheet).map(({ file }) => withoutExtension(file)))
    const named = new Map<string, TextureReason>(
      images.filter((file) => sheets.has(withoutExtension(file))).map((file) => [file, 'sheet']),
    )
    for (const kind of ORDER.toReversed())
      for (const file of byKind.get(kind)?.keys() ?? []) named.set(file, kind as TextureReason)
    return {
      shown: new Set(byKind.get('shown')?.keys()),
      given: byKind.get('given') ?? new Map(),
      named,
      libraries: new Set([...librariesOfPackage(root), ...all.flatMap(({ libraries }) => libraries)]),
    }
  }

  return {
    reasonFor(file, isCopied) {
      const looks = isNamedLikeMap(file, isCopied) ? 'name' : models.has(path.dirname(file)) ? 'beside' : undefined
      // The project need not be looked through for every image that a script imports.
      if (!isCopied && looks === undefined) return undefined
      const { shown, named, libraries } = known()
      if (shown.has(file)) return undefined
      const reason = named.get(file) ?? looks
      if (reason !== undefined || !isCopied || isAskedForByName(file)) return reason
      if (libraries.has('map') && isNamedLikeTile(file)) return 'tile'
      return libraries.has('scene') ? 'library' : undefined
    },
    givenBy(file) {
      const by = known().given.get(file)
      return by && relativePath(root, by)
    },
    expectCopies(from, to) {
      const isNew = !copied.has(from) || !outputs.has(to)
      // A folder that is served where it lies is no output.
      if (path.relative(from, to) === '') return
      copied.add(from)
      outputs.add(to)
      if (isNew) knowledge = undefined
    },
    forget() {
      knowledge = undefined
    },
  }
}

const asKind = (kind: MentionKind, urls: readonly string[]): Mention[] => urls.map((url) => ({ url, kind }))

const withoutExtension = (file: string): string => file.slice(0, -path.extname(file).length).toLowerCase()
