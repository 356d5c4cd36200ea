/**
 * A lint rule of this repository about tests, which oxlint loads by `jsPlugins` of .oxlintrc.json: a test that returns
 * before its end counts as passed, although it has tested less than its title says, and nobody sees it.
 */

const CALLS = new Set(['it', 'test', 'describe'])

/** Reports a bare `return` in the function of a test or a suite. */
const noEarlyReturn = {
  create: (context) => ({
    CallExpression({ callee, arguments: given }) {
      if (!CALLS.has(rootOf(callee))) return
      for (const { type, body } of given) {
        if (!/^(?:ArrowFunctionExpression|FunctionExpression)$/.test(type) || body.type !== 'BlockStatement') continue
        for (const node of bareReturns(body))
          context.report({
            node,
            message:
              'This returns, and counts as passed. Skip by name: it.skipIf(…), or the context: it(title, ({ skip }) => …).',
          })
      }
    },
  }),
}

/** Returns the name that a chain begins with: `it` of `it.skipIf(…).each(…)`. */
function rootOf(node) {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return rootOf(node.object)
  if (node.type === 'CallExpression') return rootOf(node.callee)
  if (node.type === 'TaggedTemplateExpression') return rootOf(node.tag)
  return undefined
}

/** Finds the returns without a value of a function's body, and not those of functions inside. */
function bareReturns(node) {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(bareReturns)
  if (typeof node.type !== 'string' || /Function/.test(node.type)) return []
  if (node.type === 'ReturnStatement') return node.argument === null ? [node] : []
  return Object.entries(node).flatMap(([key, value]) => (key === 'parent' ? [] : bareReturns(value)))
}

/** The rules of this module, for oxlint. */
export default { meta: { name: 'whole-tests' }, rules: { 'no-early-return': noEarlyReturn } }
