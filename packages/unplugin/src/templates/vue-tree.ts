/**
 * The parts of a template as Vue's compiler has them (`@vue/compiler-core`, `ast.ts`), as far as they are read and made
 * here. The compiler is the project's own, of any version 3.
 */
export interface VueNode {
  type: number
  children?: unknown[]
}

/** An element or component. */
export interface VueElement extends VueNode {
  tag: string
  /** 0 for an element, 1 for a component, 2 for a `<slot>`, 3 for a `<template>` with a directive. */
  tagType: number
  props: VueProperty[]
  children: VueNode[]
  readonly ns: number
  readonly loc: unknown
  codegenNode: undefined
  isSelfClosing?: boolean
}

/** An attribute or directive. */
export interface VueProperty {
  readonly type: number
  /** The name; of a directive without its `v-`. */
  readonly name: string
  readonly loc: unknown
  /** The text of an attribute; directives have none. */
  readonly value?: { readonly content: string } | undefined
  readonly arg?: VueExpression | undefined
  readonly exp?: VueExpression | undefined
  readonly modifiers?: readonly unknown[]
}

/** A simple expression, as it is before it is processed. */
export interface VueExpression {
  readonly type: number
  readonly content: string
  readonly isStatic: boolean
  readonly constType: number
  readonly loc: unknown
}

/** The compiler's state that a transform works with. */
export interface VueContext {
  /** The component's file, absolute. Vue before 3.4 does not say it. */
  readonly filename?: string
  readonly scopeId?: string | null
  readonly imports: { exp: VueExpression; path: string }[]
  addIdentifiers?(name: string): void
}

/** `NodeTypes` of the compiler. */
export const VUE = { root: 0, element: 1, text: 2, comment: 3, expression: 4, attribute: 6, directive: 7 } as const

/** Tells whether a node is an element or a component. */
export const isElement = (node: VueNode): node is VueElement => node.type === VUE.element

/** The value of an attribute; `undefined` where there is none. */
export const staticAttribute = ({ props }: VueElement, name: string): string | undefined =>
  props.find((each) => each.type === VUE.attribute && each.name === name)?.value?.content

/** The directive of that name, and of that argument where one is given. */
export const directiveOf = ({ props }: VueElement, name: string, argument?: string): VueProperty | undefined =>
  props.find(
    (each) =>
      each.type === VUE.directive &&
      each.name === name &&
      (argument === undefined || (each.arg?.isStatic === true && each.arg.content === argument)),
  )

/** Makes an expression at the place of a node. */
export const expressionOf = (content: string, loc: unknown, isStatic = false): VueExpression => ({
  type: VUE.expression,
  content,
  isStatic,
  constType: isStatic ? 3 : 0,
  loc,
})

/** Makes `:name="content"`. */
export const bound = (name: string, content: string, loc: unknown): VueProperty => ({
  type: VUE.directive,
  name: 'bind',
  arg: expressionOf(name, loc, true),
  exp: expressionOf(content, loc),
  modifiers: [],
  loc,
})
