import type { OptionRow, ValueOf } from '../options/row.ts'
import type { Raster } from '../resample/raster.ts'
import type { ResizedRaster } from '../crop/resize-raster.ts'
import type { AdjustablePixels } from './adjustment.ts'

/**
 * Everything that is known of one operation. One file each, and one line in list.ts. It may stand in the options of the
 * plugin, in the configuration file and in `optimize`, and where it has flags or a directive, there too. `Given` is its
 * member of `Operations` with its docstring, `Resolved` its members of `ResolvedOperations`, `Canonical` the value that
 * its parser gives, and `Directive` its member of `OperationDirectives`.
 */
export interface Operation<
  Given extends object,
  Canonical,
  Resolved extends object,
  Directive extends object = object,
> extends Omit<OptionRow<Canonical>, 'default' | 'bundlers'> {
  /** Its place in the pipeline and in cache keys. It never changes; a new operation gets the next number. */
  readonly place: number
  /**
   * Returns the row's part of the resolved operations. @param canonical the parser's value; `undefined` where nothing
   * is given
   */
  resolved(canonical: Canonical | undefined): Resolved
  /**
   * Returns the option that the texts of the row's flags come to, not checked as a whole; `undefined` where none is
   * given.
   */
  fromFlags?(texts: FlagTexts): ValueOf<Given> | undefined
  /** The directive that means the same. Directives that need the source (sizes, formats) are the plugin's own. */
  readonly directive?: OperationDirective<ValueOf<Given>>
  /** The way in which it changes a picture. Operations that choose or steer encoders have none. */
  readonly apply?: Apply<Resolved>
  /** Ties the members to the row. It never has a value. */
  readonly members?: { readonly given: Given; readonly resolved: Resolved; readonly directive: Directive }
}

/**
 * An operation is applied on the raster of a source, in its own depth and colours, or on the 8-bit pixels of a result.
 * Animations, which are too large to be held as rasters, take the same order in work/animation/open-animation.ts.
 */
export type Apply<Resolved> = {
  /** Returns what it is asked for, equal for equal results; `null` or `undefined` where it changes nothing. */
  asked(operations: Resolved): unknown
} & (
  | { raster(raster: Raster, operations: Resolved, bounds: RasterBounds): Promise<ResizedRaster> }
  | { pixels(pixels: AdjustablePixels, operations: Resolved, space: 'srgb' | 'display-p3'): Promise<AdjustablePixels> }
)

/** The bounds of what a raster may become, and the name of its file for messages. */
export interface RasterBounds {
  readonly maxPixels: number
  readonly file: string | undefined
}

/** The texts that flags were given, by their names. The text of a switch is empty. */
export type FlagTexts = Readonly<Record<string, string | undefined>>

/** The directive of an operation. */
export interface OperationDirective<Value> {
  /** Its name in a query. */
  readonly word: string
  /** Its values, in Markdown. */
  readonly doc: string
  /** Each of several values gives an image of its own. */
  readonly alternatives: boolean
  /**
   * Parses the option that a text says. Without alternatives the text is all that was written.
   * @throws PixpressError `INVALID_OPTION`
   */
  read(text: string, option: string): Value
}
