import { describe, expect, it } from 'vitest'
import { importedNames, shownImports } from '../../src/textures/imported-names.ts'

const shownIn = (...files: readonly string[]): string[] => {
  const all = files.map(importedNames)
  return shownImports(all[0]!, all)
}

describe('shownImports', () => {
  it.each([
    ['JSX', 'import a from "/a.png?v=1"\n<img src={a} />'],
    ['Svelte', `<script>import a from '/a.png'</script><img alt="" src={ a }>`],
    ['Vue', `<script setup>import a from '/a.png'</script><img :src="a">`],
    ['a constant', 'import a from "/a.png"\nconst b = a\nconst c = <img src={b} />'],
  ])('finds the name of an import in %s', (_, text) => {
    expect(shownIn(text)[0]).toMatch(/^\/a\.png/)
  })

  it('finds a name that another file takes', () => {
    const images = `import a from '/a.png'\nexport const b = a\nexport const c = a;`
    expect(shownIn(images, 'import x, { y, c } from "./images"\n<img src={c}/>')).toEqual(['/a.png'])
  })

  it.each([
    ['that no file takes', ['import a from "/a.png"\nexport const b = a\n', 'import b from "./b"\n<img src={b}/>']],
    ['that a loader gets', ['import a from "/a.png"\nconst t = useLoader(THREE.TextureLoader, a)\n<img src={a}/>']],
    ['that a loader elsewhere gets', ['import a from "/a.png"\nexport const b = a\n<img src={a}/>', 'import {b} from "./a"\nuseTexture([b])']],
    ['in a longer expression', ['import a from "/a.png"\n<img src={a.b(c)}/>']],
  ])('passes over a name %s', (_, files) => {
    expect(shownIn(...files)).toEqual([])
  }) // prettier-ignore
})
