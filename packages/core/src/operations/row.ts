import type { OptionRow } from '../options/row.ts'

/**
 * The row of an operation: it may stand in the options of the plugin, in the configuration file and in `optimize`, and
 * where it has flags or a directive, there too.
 */
export interface OperationRow<Value, Resolved, Canonical = unknown> extends Omit<
  OptionRow<Canonical>,
  'default' | 'bundlers'
> {
  /**
   * Returns the row's part of the resolved operations. @param canonical the parser's value; `undefined` where nothing
   * is given
   */
  resolved(canonical: Canonical | undefined): Partial<Resolved>
  /**
   * Returns the option that the texts of the row's flags come to, not checked as a whole; `undefined` where none is
   * given.
   */
  fromFlags?(texts: FlagTexts): Value | undefined
  /** The directive that means the same. Directives that need the source (sizes, formats) are the plugin's own. */
  readonly directive?: OperationDirective<Value>
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
