import { describe, expect, it } from 'vitest'
import { isOnlyShown } from '../../src/references/shown-imports.ts'

const IMPORT = "import logo from './logo.svg'\n"
const shown = (text: string): boolean => isOnlyShown(IMPORT + text, './logo.svg')

describe('an import that is shown in <img> alone', () => {
  it.each([
    ['JSX', 'export const A = () => <p><img className="a" src={logo} alt="" /></p>'],
    ['JSX over several lines', 'const a = <img\n  alt="b"\n  src={logo}\n/>'],
    ['one of two drawings', 'const a = <img src={isDark ? logo : light} alt="" />'],
    ['a member of what a framework makes of it', '<img src={logo.src} alt="">'],
    ['twice', '<><img src={logo} /><img src={logo} /></>'],
    ['compiled JSX', 'const a = _jsx("img", { className: "a", src: logo, alt: "" })'],
    ['createElement', "React.createElement('img', { src: logo })"],
    ['h of Vue', "h('img', { src: logo, alt: 'x' })"],
    ['a compiled template', 'const _hoisted_1 = 1; _createElementVNode("img", { alt: "", src: logo }, null)'],
    ['Vue', '<template><img :src="logo" alt="x"></template>'],
    ['Vue, in full', "<template><img alt='x' v-bind:src='logo' /></template>"],
    ['an element of a script', "const a = document.createElement('img')\na.src = logo\ndocument.body.append(a)"],
    ['an Image', 'const a = new Image()\na.src = logo'],
    ['HTML in a script', 'root.innerHTML = `<img alt="" src="${logo}">`'],
    ['nothing at all', ''],
  ])('is seen: %s', (_, text) => expect(shown(text)).toBe(true))

  it.each([
    ['fetched', '<img src={logo} />; fetch(logo)'],
    ['a component of its own', '<Icon src={logo} />'],
    ['<object>', '<object data={logo} />'],
    ['<use>', '<svg><use href={`${logo}#a`} /></svg>'],
    ['a part of it', '<img src={logo + "#a"} />'],
    ['a part of it in text', 'root.innerHTML = `<img src="${logo}#a">`'],
    ['<iframe>', '<iframe src={logo} />'],
    ['<embed> beside <img>', '<><img src={other} /><embed src={logo} /></>'],
    ['passed on', 'export const icons = { logo }'],
    ['exported', 'export { logo }'],
    ['spread', '<img {...{ src: logo }} />'],
    ['given to a function', '<img src={versioned(logo)} />'],
    ['a script element', "const a = document.createElement('iframe')\na.src = logo"],
    ['an unknown element', 'a.src = logo'],
    ['a custom element with a similar name', '<img-viewer src={logo} />'],
    ['named in a comment, which might be code', '/* logo */'],
    ['named a second time', "new URL('./logo.svg', import.meta.url)"],
    ['loaded later', "import('./logo.svg')"],
  ])('is not: %s', (_, text) => expect(shown(text)).toBe(false))

  it('is told from another one of the same file', () => {
    const text = "import a from './a.svg'\nimport b from './b.svg'\nconst c = <img src={a} />; fetch(b)"
    expect([isOnlyShown(text, './a.svg'), isOnlyShown(text, './b.svg')]).toEqual([true, false])
  })

  it('needs to be an import or an element', () => {
    expect(isOnlyShown("const a = require('./logo.svg')", './logo.svg')).toBe(false)
    expect(isOnlyShown('', './logo.svg')).toBe(false)
  })

  it('is a file that a template names', () => {
    const template = '<template><img alt="" src="./logo.svg"></template>'
    expect(isOnlyShown(template, './logo.svg')).toBe(true)
    expect(isOnlyShown(`${template}<object data="./logo.svg" />`, './logo.svg')).toBe(false)
    expect(isOnlyShown('<template><source src="./logo.svg"></template>', './logo.svg')).toBe(false)
  })
})
