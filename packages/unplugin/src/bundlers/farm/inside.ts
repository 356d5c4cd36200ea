import type { PluginTransformHookParam, PluginTransformHookResult } from '@farmfe/core'
import { withLighterPictures } from '../../modules/pictures-inside.ts'
import type { TextKind } from '../../modules/pictures-inside.ts'
import type { FarmHook } from './project.ts'

/** Types of modules that pictures stand in. */
const KINDS: Readonly<Record<string, TextKind>> = { css: 'css', html: 'html', json: 'json' }

/** The text of a module with its pictures in data URLs compressed; a dev server has no need of that. */
export async function withSmallerPictures(
  { project: { session }, isServed, context }: FarmHook,
  { moduleType, content: text, resolvedPath: file }: PluginTransformHookParam,
): Promise<string> {
  const as = KINDS[moduleType]
  if (isServed || as === undefined) return text
  return withLighterPictures(session, { text, as, file }, (message) => context.warn(message))
}

/** A JSON file, before Farm makes a module of it. @returns `null` when nothing changes */
export async function transformJson(
  hook: FarmHook,
  module: PluginTransformHookParam,
): Promise<PluginTransformHookResult | null> {
  const content = await withSmallerPictures(hook, module)
  return content === module.content ? null : { content, moduleType: module.moduleType }
}
