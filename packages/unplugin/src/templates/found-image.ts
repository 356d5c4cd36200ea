import type { Surroundings } from './surroundings.ts'

/** An `<img>` of a template that shows an image of the project, or may do so. */
export interface FoundImage {
  /**
   * The specifier that the image is imported by, with its query; `undefined` where the template does not say which
   * image it is: a URL that comes with the data, which the build's images are looked up by when it is shown.
   */
  readonly specifier: string | undefined
  readonly place: Surroundings
}

/** Stands for an image of a template in its script, once it is noted. */
export interface NotedPlace {
  /** An expression: whether it is shown in a picture. Its value is put in when the build has decided. */
  readonly isShown: string
  /** The specifier to import what is shown; `undefined` for an image that is looked up. */
  readonly shown: string | undefined
}

/** The attribute that tells that an `<img>` stays as it is. */
const OPT_OUT = 'data-pixpress'

/** Attributes that say of an `<img>` that its author has decided about its candidates. */
export const OF_CANDIDATES: ReadonlySet<string> = new Set(['srcset', 'srcSet', OPT_OUT])
