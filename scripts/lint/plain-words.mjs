/**
 * Lint rules of this repository about comments, which oxlint loads by `jsPlugins` of .oxlintrc.json. No folder is
 * exempt from them, which test/docs/plain-words.test.ts checks.
 */

/** Columns that a line with a comment may have. */
const WIDEST = 120

/** Words that open a fragment, or a clause that takes the place of the subject. */
const OPENING = /^(?:As|Behind|Beside|By|Of|Such|What|Whether)\b/

/** Comments for tools rather than for readers. */
const FOR_TOOLS = /^[\s*!]*(?:oxlint-|eslint-|@ts-|[#@]__|@vite-ignore|webpack\w+:|v8 ignore|istanbul |\/ <reference)/

/** Reports sentences that open without a subject. */
const opening = {
  create: (context) => ({
    Program() {
      for (const { node, text } of paragraphs(context.sourceCode))
        for (const sentence of sentences(text)) {
          const word = OPENING.exec(sentence)?.[0]
          if (word === undefined) continue
          const start = sentence.slice(0, 40)
          context.report({ node, message: `Start with a subject instead of "${word}": "${start}".` })
        }
    },
  }),
}

/** Reports lines that a comment makes too long. A line with a URL may be longer, as a URL cannot be broken. */
const width = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode
      for (const node of comments(context.sourceCode))
        for (let line = node.loc.start.line; line <= node.loc.end.line; line++) {
          const text = lines[line - 1]
          if (text.length <= WIDEST || /https?:\/\/\S{40}/.test(text)) continue
          const loc = { start: { line, column: WIDEST }, end: { line, column: text.length } }
          context.report({ loc, message: `Wrap the comment: the line has ${text.length} columns of ${WIDEST}.` })
        }
    },
  }),
}

/** Reports exported functions, classes, interfaces, types and constants without a docstring. */
const docstring = {
  create: (context) => ({
    Program(program) {
      const declared = new Map(program.body.flatMap((statement) => names(statement).map((name) => [name, statement])))
      const documented = new Set()
      for (const statement of program.body)
        for (const { name, from } of exported(statement, declared)) {
          // The first overload speaks for the others.
          if (documented.has(name)) continue
          documented.add(name)
          const before = context.sourceCode.getCommentsBefore(from).findLast(({ value }) => !FOR_TOOLS.test(value))
          if (before?.type === 'Block' && before.value.startsWith('*')) continue
          context.report({ node: from, message: `Add a docstring to ${name}, which this module exports.` })
        }
    },
  }),
}

/** The plugin, as oxlint loads it. */
export default { meta: { name: 'plain-words' }, rules: { opening, width, docstring } }

const comments = (sourceCode) =>
  sourceCode.getAllComments().filter(({ type, value }) => type !== 'Shebang' && !FOR_TOOLS.test(value))

/** The texts of comments. Line comments below each other are one text, unless code stands before one of them. */
function* paragraphs(sourceCode) {
  const { lines } = sourceCode
  let open
  for (const node of comments(sourceCode)) {
    const { line, column } = node.loc.start
    const own = lines[line - 1].slice(0, column).trim() === ''
    if (open !== undefined && node.type === 'Line' && own && open.line === line - 1 && open.column === column) {
      open.text += `\n${node.value}`
      open.line = line
      continue
    }
    if (open !== undefined) yield open
    open = undefined
    if (node.type === 'Line') open = { node, text: node.value, line, column }
    else yield { node, text: node.value.replaceAll(/^\s*\*+ ?/gm, '') }
  }
  if (open !== undefined) yield open
}

/** The sentences of a comment. Code in it has none: neither fenced blocks nor what `@example` holds. */
function sentences(text) {
  const prose = text
    .replaceAll(/```[\s\S]*?```/g, '')
    .replaceAll(/@example[\s\S]*?(?=^\s*@|$(?![\s\S]))/gm, '')
    .split(/\n\s*\n|^\s*(?:[-*|]|\d+\.)\s|^\s*@(?:param\s+\S+|\w+)\s/m)
  return prose.flatMap((paragraph) =>
    paragraph
      .replaceAll(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?:][)"'`]?) (?=[A-Z`"'(])/)
      .map((sentence) => sentence.replace(/^\(/, '')),
  )
}

/** The names that a statement declares at the top of a module. */
function names(statement) {
  const declaration = statement.declaration ?? statement
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  const declares =
    /^(?:TSDeclareFunction|FunctionDeclaration|ClassDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration)$/
  return declares.test(declaration.type) && declaration.id ? [declaration.id.name] : []
}

/** The names that a statement exports from this module, with the statement in front of which the docstring stands. */
function exported(statement, declared) {
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    if (declaration.type !== 'Identifier')
      return [{ name: names(statement)[0] ?? 'the default export', from: statement }]
    return [declaration.name].filter((name) => declared.has(name)).map((name) => ({ name, from: declared.get(name) }))
  }
  if (statement.type !== 'ExportNamedDeclaration' || statement.source) return []
  if (statement.declaration) return names(statement).map((name) => ({ name, from: statement }))
  return statement.specifiers
    .map(({ local }) => local.name)
    .filter((name) => declared.has(name))
    .map((name) => ({ name, from: declared.get(name) }))
}
