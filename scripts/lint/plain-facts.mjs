/**
 * A lint rule of this repository about tests, which oxlint loads by `jsPlugins` of .oxlintrc.json: tests hold what the
 * product does, and the snapshots of wording (`packages/<package>/test/wording.txt`) hold what it says. A test that
 * matches a sentence as well breaks with every better one.
 */

/** Matchers of texts. */
const MATCHERS =
  /^(?:toThrow|toThrowError|toMatch|toContain|toContainEqual|toBe|toEqual|toStrictEqual|toMatchObject|toHaveProperty|stringContaining|stringMatching|toHaveBeenCalled\w*With)$/

/** Four words in a row. */
const FOUR_WORDS = /(?:[A-Za-z'’]+[,:;]? ){3}[A-Za-z'’]+/

/** Words of sentences, which lists, names and most commands have none of. */
const OF_SENTENCES =
  /\b(?:a|an|are|as|at|be|by|cannot|for|from|has|have|in|is|it|its|more|no|none|not|nothing|of|on|or|than|that|the|there|this|to|was|were|with|would)\b/

/** Code, commands and SQL, of which the words are no prose. */
const CODE = /\b(?:import|export|const|return)\b[^.]*['"{*]|=>|\bUSING\b|^npx |default-src|<\/?[a-z]+[ >]/

/** Reports literals of four words and more in the arguments of matchers. */
const noSentences = {
  create: (context) => ({
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || !MATCHERS.test(callee.property.name ?? '')) return
      for (const { node, text } of given.flatMap(literals)) {
        const plain = text.replaceAll(/\\n|\\s\+?/g, ' ').replaceAll('\\', '')
        const words = FOUR_WORDS.exec(plain)?.[0]
        if (words === undefined || !OF_SENTENCES.test(words) || CODE.test(plain)) continue
        context.report({
          node,
          message: `Assert what the sentence is about: a code, a file, an option, a figure ('failure' and 'naming' of the testkit). Its words belong into test/wording.test.ts: "${words}".`,
        })
      }
    },
  }),
}

/** The texts of a matcher's argument. Calls inside are looked at by themselves. */
function literals(node) {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap(literals)
  if (node.type === 'CallExpression' || /Function/.test(node.type ?? '')) return []
  if (node.type === 'Literal') {
    if (typeof node.value === 'string') return [{ node, text: node.value }]
    return node.regex ? [{ node, text: node.regex.pattern }] : []
  }
  if (node.type === 'TemplateLiteral')
    return [{ node, text: node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…') }]
  return Object.entries(node).flatMap(([key, value]) => (key === 'parent' ? [] : literals(value)))
}

/** The rules of this module, for oxlint. */
export default { meta: { name: 'plain-facts' }, rules: { 'no-sentences': noSentences } }
