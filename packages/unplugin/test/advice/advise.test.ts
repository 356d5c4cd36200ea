import { describe, expect, it } from 'vitest'
import { adviseOn, findTargets, withEdits } from '../../src/advice/index.ts'
import type { Target, Wish } from '../../src/advice/index.ts'

/** Gives what becomes of a text whose first image gets a wish; `undefined` where no advice is given. */
function written(file: string, text: string, wish: Wish, change: Partial<Target> = {}): string | undefined {
  const [target] = findTargets(file, text)
  const advice = adviseOn(file, text, { ...target!, ...change }, wish)
  return advice === undefined ? undefined : withEdits(text, advice.edits)
}

const SIZES = '(max-width: 390px) 92vw, 640px'
const RESPONSIVE: Wish = { widths: [716, 1134], sizes: SIZES }

describe('advice on a page', () => {
  it('asks for one image in each place, and for several widths in a srcset', () => {
    expect(written('index.html', '<p>\n<img alt="" src="./a.jpg">', RESPONSIVE)).toBe(
      `<p>\n<img alt="" src="./a.jpg?w=1134" srcset="./a.jpg?w=716 716w, ./a.jpg?w=1134 1134w" sizes="${SIZES}">`,
    )
    expect(written('index.html', '<img src=a.jpg>', { widths: [600], format: 'webp' })).toBe(
      '<img src=a.jpg?w&#61;600&amp;format&#61;webp>',
    )
  })

  it('makes the srcset of one image anew, and leaves that of several files alone', () => {
    const own = '<img srcset="a.jpg?w=100 100w, a.jpg?w=2400 2400w" sizes="100vw" src="a.jpg?w=100">'
    expect(written('index.html', own, RESPONSIVE)).toBe(
      `<img srcset="a.jpg?w=716 716w, a.jpg?w=1134 1134w" sizes="${SIZES}" src="a.jpg?w=1134">`,
    )
    expect(written('index.html', '<img srcset="a-1.jpg 100w, a-2.jpg 2400w">', RESPONSIVE)).toBe(
      `<img sizes="${SIZES}" srcset="a-1.jpg 100w, a-2.jpg 2400w">`,
    )
  })

  it('writes, changes and takes away attributes', () => {
    expect(
      written('index.html', '<img alt="" loading="lazy" src="a.jpg" width=3>', {
        attributes: { loading: null, fetchpriority: 'high', width: '30' },
      }),
    ).toBe('<img alt="" src="a.jpg" fetchpriority="high" width="30">')
    expect(
      written('index.html', '<img src="a.jpg" style="color: red;">', { attributes: { style: 'aspect-ratio: 3 / 2' } }),
    ).toBe('<img src="a.jpg" style="color: red; aspect-ratio: 3 / 2">')
  })

  it('leaves a query alone that is another plugin’s, or says more of the size', () => {
    for (const url of ['a.jpg?react', 'a.jpg?w=300&h=200', 'a.jpg?original', 'a.jpg?preset=hero', 'a.jpg?url']) {
      expect(written('index.html', `<img src="${url.replace('&', '&amp;')}">`, { widths: [100] })).toBeUndefined()
    }
  })

  it('says what a template should have, and edits nothing there', () => {
    const text = '<h1>{{ title }}</h1>\n<img src="/a.jpg">'
    for (const file of ['index.html', 'offer.hbs', 'a.ejs']) {
      const [target] = findTargets(file, text)
      const advice = adviseOn(file, text, target!, { attributes: { loading: 'lazy' } })
      expect(advice).toMatchObject({ kind: 'template', line: 2, text: 'write loading="lazy"', edits: [] })
    }
  })

  it('asks for nothing behind a file that is copied, but changes the element', () => {
    const text = '<img src="/a.jpg">'
    const wish: Wish = { ...RESPONSIVE, attributes: { loading: 'lazy' } }
    expect(written('index.html', text, wish, { kind: 'public' })).toBe('<img src="/a.jpg" loading="lazy">')
    expect(written('index.html', text, RESPONSIVE, { kind: 'public' })).toBeUndefined()
  })
})

describe('advice on a stylesheet', () => {
  const windows = [
    { window: 390, width: 780 },
    { window: 1280, width: 2560 },
  ]

  it('takes the widest, and repeats the rule for windows that need clearly less', () => {
    const rule = '.a,\n.b > i {\n  color: red;\n  background: #fff url("a.jpg") center;\n}\n.c {}\n'
    expect(written('style.css', rule, { widths: [2560], windows })).toBe(
      '.a,\n.b > i {\n  color: red;\n  background: #fff url("a.jpg?w=2560") center;\n}\n@media (max-width: 390px) { .a, .b > i { background-image: url("a.jpg?w=780") } }\n.c {}\n',
    )
    expect(written('style.css', rule, { widths: [2560], windows: windows.slice(1) })).not.toContain('@media')
  })

  it('asks for no width that the source has already', () => {
    const rule = '.a { background: url("a.jpg") }'
    const narrow = '@media (max-width: 390px) { .a { background-image: url("a.jpg?w=780") } }'
    const wish = { widths: [2560], most: 2560, windows }
    expect(written('style.css', rule, wish)).toBe(`${rule}\n${narrow}`)
    expect(adviseOn('style.css', rule, findTargets('style.css', rule)[0]!, wish)).toMatchObject({
      text: `write ${narrow}`,
    })
    expect(written('style.scss', rule, wish)).toBeUndefined()
    const webp = { ...wish, windows: windows.slice(1), format: 'webp' } as const
    expect(adviseOn('style.css', rule, findTargets('style.css', rule)[0]!, webp)).toMatchObject({
      text: 'write url("a.jpg?format=webp")',
      done: ['format'],
      left: ['widths'],
    })
    expect(written('style.css', rule, { ...wish, windows: windows.slice(1) })).toBeUndefined()
  })

  it('does so in a <style> of a page and of a component, and inside of @media', () => {
    const page = '<style>.a { background: url(a.jpg) }</style>'
    for (const file of ['index.html', 'App.vue']) {
      expect(written(file, page, { widths: [2560], windows })).toBe(
        '<style>.a { background: url(a.jpg?w=2560) }\n@media (max-width: 390px) { .a { background-image: url("a.jpg?w=780") } }</style>',
      )
    }
    expect(written('a.css', '@media print { .a { background: url(a.jpg) } }', { widths: [2560], windows })).toBe(
      '@media print { .a { background: url(a.jpg?w=2560) }\n@media (max-width: 390px) { .a { background-image: url("a.jpg?w=780") } } }',
    )
  })

  it.each([
    ['several images', 'a.css', '.a { background: url(a.jpg), url(b.jpg) }'],
    ['a variable', 'a.css', '.a { --b: url(a.jpg) }'],
    ['a nested rule', 'a.css', '.a { background: url(a.jpg); &:hover { color: red } }'],
    ['a preprocessor', 'a.scss', '.a { background: url(a.jpg) }'],
    ['an attribute', 'index.html', '<p style="background: url(a.jpg)">'],
  ])('repeats no rule with %s', (_, file, text) => {
    expect(written(file, text, { widths: [2560], windows })).toBe(text.replace('a.jpg', 'a.jpg?w=2560'))
  })

  it('writes types with `&`, not as HTML', () => {
    expect(written('a.scss', 'a { b: url("a.jpg?w=9") }', { widths: [8], format: 'webp' })).toBe(
      'a { b: url("a.jpg?w=8&format=webp") }',
    )
  })
})

describe('advice on an import', () => {
  it('has a second import for the srcset of the one element that shows it', () => {
    const jsx = 'import hero from \'./a.jpg\'\nexport const A = () => <img className="b" src={hero} />\n'
    expect(written('A.jsx', jsx, RESPONSIVE)).toBe(
      `import hero from './a.jpg?w=1134'\nimport heroSrcset from './a.jpg?w=716;1134&as=srcset'\nexport const A = () => <img className="b" src={hero} srcSet={heroSrcset} sizes="${SIZES}" />\n`,
    )
    const vue = '<script setup>\nimport a from "./a.jpg";\n</script>\n<template><img :src="a"></template>\n'
    expect(written('A.vue', vue, RESPONSIVE)).toBe(
      `<script setup>\nimport a from "./a.jpg?w=1134";\nimport aSrcset from "./a.jpg?w=716;1134&as=srcset";\n</script>\n<template><img :src="a" :srcset="aSrcset" sizes="${SIZES}"></template>\n`,
    )
    const svelte = '<script>\n  import a from \'./a.jpg\'\n</script>\n<img src={a} alt="">\n'
    expect(written('A.svelte', svelte, RESPONSIVE)).toContain(`srcset={aSrcset} sizes="${SIZES}"`)
  })

  it('asks for one width where it is used otherwise, and says that this is not all', () => {
    const text = "import a from './a.jpg'\nexport const all = [{ image: a }]\n"
    expect(written('a.js', text, RESPONSIVE)).toBe(text.replace('a.jpg', 'a.jpg?w=1134'))
    expect(adviseOn('a.js', text, findTargets('a.js', text)[0]!, RESPONSIVE)).toMatchObject({
      done: ['widths'],
      left: ['widths', 'sizes'],
    })
  })

  it('asks for no width that the source has already', () => {
    const text = "import a from './a.jpg'\nexport const all = [{ image: a }]\n"
    expect(written('a.js', text, { ...RESPONSIVE, most: 1134 })).toBeUndefined()
    expect(written('a.js', text, { ...RESPONSIVE, most: 1135 })).toBe(text.replace('a.jpg', 'a.jpg?w=1134'))
    expect(written('a.js', "import a from './a.jpg?w=2400'", { ...RESPONSIVE, most: 1134 })).toContain('?w=1134')
    expect(
      adviseOn('a.js', text, findTargets('a.js', text)[0]!, { widths: [1134], most: 1134, format: 'webp' }),
    ).toMatchObject({
      text: "write import a from './a.jpg?format=webp'",
      done: ['format'],
      left: ['widths'],
    })
    const jsx = "import hero from './a.jpg'\nexport const A = () => <img src={hero} />\n"
    expect(written('A.jsx', jsx, { ...RESPONSIVE, most: 1134 })).toContain('a.jpg?w=716;1134&as=srcset')
  })

  it('ends as TypeScript has to tell it apart', () => {
    expect(written('a.ts', "import a from './a.jpg'", { widths: [300] })).toBe("import a from './a.jpg?w=300&as=url'")
  })

  it('changes the widths of a query, and leaves its shape', () => {
    expect(written('a.js', "import a from './a.jpg?w=2400&as=picture'", RESPONSIVE)).toBe(
      "import a from './a.jpg?w=716;1134&as=picture'",
    )
    expect(written('a.js', "import a from './a.jpg?as=picture&format=avif;jpg'", { format: 'webp' })).toBe(
      "import a from './a.jpg?format=avif;jpg&as=picture'",
    )
  })

  it('gives no import to what a comment, a string or another file says', () => {
    expect(findTargets('a.js', "// import a from './a.jpg'\n/*\nimport b from './b.jpg'\n*/")).toEqual([])
    expect(findTargets('a.md', '![](a.jpg)')).toEqual([])
  })

  it('leaves an import alone that is an object without a query, and a URL with one', () => {
    const wish: Wish = { widths: [760], format: 'webp' }
    const shown = '<Image src={a} width={500} />'
    expect(written('a.astro', `---\nimport a from './a.jpg'\n---\n${shown}`, wish)).toBeUndefined()
    expect(
      written('a.mdx', `import { Image } from 'astro:assets'\nimport a from './a.jpg'\n${shown}`, wish),
    ).toBeUndefined()
    expect(written('a.jsx', `import Image from 'next/image'\nimport a from './a.jpg'\n${shown}`, wish)).toBeUndefined()
    expect(written('a.jsx', "import a from './a.jpg'\n<img src={a.src} />", wish)).toBeUndefined()
    expect(written('a.astro', "---\nimport a from './a.jpg?w=500'\n---\n<img src={a} />", { widths: [760] })).toContain(
      '?w=760',
    )
  })

  it('writes attributes as JSX has them', () => {
    const text = "import a from './a.jpg'\nconst b = <img src={a} />"
    expect(written('a.tsx', text, { attributes: { fetchpriority: 'high', style: 'aspect-ratio: 3 / 2' } })).toBe(
      "import a from './a.jpg'\nconst b = <img src={a} fetchPriority=\"high\" style={{ aspectRatio: '3 / 2' }} />",
    )
  })
})

describe('findTargets', () => {
  it('takes the URLs of a Vue template for the page’s, and those of Svelte and Astro for none', () => {
    const markup = '<img src="./a.jpg" />'
    expect(findTargets('a.vue', `<template>${markup}</template>`)).toMatchObject([
      { kind: 'html', tag: { name: 'img' } },
    ])
    expect(findTargets('a.svelte', markup)).toEqual([])
    expect(findTargets('a.astro', markup)).toEqual([])
  })

  it('never throws, whatever the text', () => {
    for (const text of [
      '<img',
      '<img src="',
      '<img a={',
      '<img {',
      'import a from',
      "<img src='a.jpg' {{x}}",
      '<img ="">',
    ]) {
      for (const file of ['a.html', 'a.vue', 'a.jsx', 'a.css', 'a.svelte'])
        expect(() => findTargets(file, text)).not.toThrow()
    }
  })
})
