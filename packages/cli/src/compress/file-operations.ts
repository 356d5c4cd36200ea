import path from 'node:path'
import { createPathMatcher, operationsOf, resolveOperations } from '@pixpress/core/internal'
import type { Operations } from '@pixpress/core'
import type { Config } from '../base/config.ts'

/** The operations on one file. */
export interface FileOperations {
  readonly operations: Operations
  /** The score that they promise. */
  readonly score: number
}

/**
 * Looks up the operations of a file by its absolute path; without a path, those of an image that has no name.
 * @param width in place of that of the resize, where a file has several results
 */
export type OperationsOf = (file: string | undefined, width?: number) => FileOperations

/**
 * Joins the operations of the configuration, those of its `overrides` that include the file, in order, and the flags:
 * the last that gives an operation decides.
 * @param root folder that the patterns of `overrides` are relative to
 * @throws PixpressError `INVALID_OPTION`
 */
export function createOperations(config: Config, flags: Operations, root: string): OperationsOf {
  const overrides = (config.overrides ?? []).map(({ include, exclude = [], ...operations }) => ({
    isIncluded: createPathMatcher(include),
    isExcluded: createPathMatcher(exclude),
    operations: operationsOf(operations),
  }))

  /** Many files have the same operations, which need to be put together once. */
  const known = new Map<string, FileOperations>()

  function operationsAt(file: string | undefined, width?: number): FileOperations {
    const place =
      file === undefined || overrides.length === 0 ? undefined : path.relative(root, file).split(path.sep).join('/')
    const own = overrides.filter(
      ({ isIncluded, isExcluded }) => place !== undefined && isIncluded(place) && !isExcluded(place),
    )
    const id = [width, ...own.map((each) => overrides.indexOf(each))].join()
    const before = known.get(id)
    if (before !== undefined) return before
    const operations: Operations = Object.assign({}, operationsOf(config), ...own.map((each) => each.operations), flags)
    const { resize } = operations
    if (width !== undefined && resize !== undefined) operations.resize = { ...resize, width } as typeof resize
    const made = { operations, score: resolveOperations(operations).score }
    known.set(id, made)
    return made
  }

  // Invalid operations are refused before any file is read.
  operationsAt(undefined)
  return operationsAt
}
