import { describe, expect, it } from 'vitest'
import { idleCompanions } from '../../src/project/companions.ts'
import { TOOLS } from '../../src/tools/tools.ts'

const others = ['imagemin-optipng', 'sharp', 'svgo', 'vite', 'encoder']
const installed = { file: 'web/package.json', text: '{}', others }

describe('idleCompanions', () => {
  it('gives the companions of the tool, and the packages that its options named', () => {
    expect(idleCompanions(installed, TOOLS['image-minimizer'], ['encoder', 'x'], [])).toEqual([
      'imagemin-optipng',
      'sharp',
      'svgo',
      'encoder',
    ])
    expect(idleCompanions(installed, TOOLS.imagetools, [], [])).toEqual([])
  })

  it.each([
    ['a script', 'web/a.js', "import sharp from 'sharp'", ['svgo']],
    ['a list of names', 'web/next.config.js', "export default { external: ['sharp'] }", ['svgo']],
    ['a module of it', 'web/a.cjs', "require('svgo/browser')", ['sharp']],
    ['a component', 'web/a.vue', '<script>import { optimize } from "svgo"</script>', ['sharp']],
    ['a command', 'web/package.json', '{ "scripts": { "logos": "svgo -f src && rm x" } }', ['sharp']],
    ['a manifest that is no JSON', 'web/package.json', '{ svgo -f src', ['sharp']],
    ['a comment', 'web/a.js', "// import sharp from 'sharp'", ['sharp', 'svgo']],
    ['another package', 'docs/a.js', "import sharp from 'sharp'", ['sharp', 'svgo']],
  ])('leaves out what is named in %s', (_, file, text, idle) => {
    expect(idleCompanions(installed, TOOLS['image-optimizer'], [], [{ file, text }])).toEqual(idle)
  })
})
