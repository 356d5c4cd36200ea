/**
 * The parts of a template that are read here, as Vue's compiler has them (`@vue/compiler-core`, `ast.ts`). The compiler
 * is the project's own, of any version 3.
 */
interface VueNode {
  readonly type: number
  readonly tag?: string
  readonly props?: { readonly name: string; readonly arg?: VueExpression; exp?: VueExpression }[]
  readonly children?: readonly unknown[]
}

interface VueExpression {
  readonly type: number
  readonly content: string
  readonly isStatic: boolean
  readonly constType: number
  readonly loc: unknown
  /** The tree of the content, where Vue from 3.4 on has read it. */
  readonly ast?: unknown
}

/** The compiler's state that a transform works with. */
interface VueContext {
  readonly imports: { exp: VueExpression; path: string }[]
  addIdentifiers?(name: string): void
}

/** `NodeTypes` of the compiler. */
const [ROOT, ELEMENT, EXPRESSION] = [0, 1, 4]

/** The name that a component gives to the function. */
const NAME = '__pixpress_url'

/** A text alone is what its author wrote; Vue itself imports those of attributes. */
const TEXT = /^\s*(?:'[^']*'|"[^"]*"|`[^`$]*`)\s*$/

/**
 * A transform of Vue's compiler: on the whole template, before any other has changed it, `:src="image"` of each `<img>`
 * becomes `:src="lookUp(image)"`.
 * @param module the module whose default export looks a URL up
 */
export function createVueTransform(module: string): (node: VueNode, context: VueContext) => void {
  return (root, context) => {
    if (root.type !== ROOT || context.addIdentifiers === undefined) return
    const visit = (node: VueNode): void => {
      for (const child of (node.children ?? []) as VueNode[]) if (child.type === ELEMENT) visit(child)
      if (node.tag !== 'img') return
      for (const each of node.props ?? []) {
        const { exp } = each
        if (each.name !== 'bind' || each.arg?.content !== 'src' || exp?.type !== EXPRESSION) continue
        // For a server, Vue transforms what a component holds twice.
        if (exp.content === '' || TEXT.test(exp.content) || exp.content.startsWith(NAME)) continue
        if (!context.imports.some((known) => known.exp.content === NAME))
          context.imports.push({
            exp: { ...exp, content: NAME, isStatic: false, constType: 0, ast: null },
            path: module,
          })
        context.addIdentifiers!(NAME)
        each.exp = { ...exp, content: `${NAME}(${exp.content})`, constType: 0, ast: undefined }
      }
    }
    visit(root)
  }
}
