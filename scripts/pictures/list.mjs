/** Pictures and parts of all pages. */
const FACE = ['packages/face/src', 'packages/face/style', 'examples/images']

/**
 * The pictures of docs/images by groups that are made together: their names, and the files and folders that they show.
 * `engine` stands for the engine's revision, on which all bytes and scores depend. A test fails for a picture that is
 * older than what it shows.
 */
export const GROUPS = {
  'before-after': {
    pictures: ['before-after.webp'],
    inputs: ['engine', 'scripts/pictures/before-after.mjs', 'examples/images'],
    load: () => import('./before-after.mjs'),
  },
  example: {
    pictures: ['report-and-page.webp', ...shotsOf('terminal')],
    inputs: [
      'engine',
      'scripts/pictures/example.mjs',
      'scripts/pictures/terminal-page.mjs',
      'examples/images',
      'examples/vite/index.html',
      'examples/vite/src',
      'examples/vite/vite.config.js',
      'packages/core/src/report/table.ts',
      'packages/core/src/report/rows.ts',
      'packages/core/src/report/text-width.ts',
      'packages/core/src/report/end-line.ts',
    ],
    load: () => import('./example.mjs'),
  },
  report: {
    pictures: ['report-page.webp', ...shotsOf('report'), ...shotsOf('picture')],
    inputs: ['engine', 'scripts/pictures/report.mjs', 'packages/core/page', ...FACE],
    load: () => import('./report.mjs'),
  },
  inspector: {
    pictures: shotsOf('inspector'),
    inputs: ['engine', 'scripts/pictures/inspector.mjs', 'packages/unplugin/page', ...FACE],
    load: () => import('./inspector.mjs'),
  },
  server: {
    pictures: ['server-page.webp', 'server-page-compare.webp', ...shotsOf('server')],
    inputs: ['engine', 'scripts/pictures/server.mjs', 'packages/server/page', ...FACE],
    load: () => import('./server.mjs'),
  },
  comment: {
    pictures: shotsOf('comment'),
    inputs: ['engine', 'scripts/pictures/comment.mjs', 'action/comment', 'action/pictures.mjs', 'examples/images'],
    load: () => import('./comment.mjs'),
  },
  docs: {
    pictures: shotsOf('docs'),
    inputs: ['engine', 'scripts/pictures/docs.mjs', 'docs/index.md', 'docs/.vitepress/theme', ...FACE],
    load: () => import('./docs.mjs'),
  },
}

/** The four pictures of a face: wide and narrow, by day and at night. */
function shotsOf(face) {
  return [1280, 390].flatMap((width) => ['light', 'dark'].map((scheme) => `faces/${face}-${width}-${scheme}.webp`))
}
