import MagicString from 'magic-string'
import { parseAst } from 'rolldown/parseAst'
import { describe, expect, it } from 'vitest'
import { createFindImage } from '../../src/templates/image-expression.ts'
import { findJsxImages, replaceJsx } from '../../src/templates/jsx.ts'
import type { JsxImage } from '../../src/templates/jsx.ts'
import type { SyntaxNode } from '../../src/templates/syntax.ts'

const HEAD = `import hero from './hero.png';`

function find(jsx: string): JsxImage[] {
  const program = parseAst(`${HEAD}\n(${jsx})`, { lang: 'tsx' }) as unknown as SyntaxNode
  const texts = { isImage: (text: string) => text.endsWith('.png'), isPublic: (text: string) => text === '/public.png' }
  return findJsxImages(program, createFindImage(program, texts))
}

const tags = (image: JsxImage | undefined): unknown[] => [
  image?.place.before.map((each) => (typeof each === 'string' ? each : each.tagName)),
  image?.place.ancestors.map(({ tagName }) => tagName),
  image?.place.after.map((each) => (typeof each === 'string' ? each : each.tagName)),
]

describe('an image in JSX', () => {
  it('is found with what is around it', () => {
    const [image] = find(
      `<main><div class="card" classList={{ on: on() }}><p>a</p> text {/* none */}<img src={hero} class="b" /><Text /></div></main>`,
    )
    expect(image).toMatchObject({ specifier: './hero.png' })
    expect(tags(image)).toEqual([['p'], ['div', 'main'], ['unknown']])
    expect(image!.place.ancestors[0]).toMatchObject({ isOpen: true })
    expect(image!.place.image).toMatchObject({
      attributes: [
        ['src', ''],
        ['class', 'b'],
      ],
      isOpen: false,
    })
  })

  it('is found where it names a file of the public folder', () => {
    expect(find(`<img src="/public.png" />`)).toMatchObject([{ specifier: '/public.png' }])
  })

  it('has unknown siblings in what Solid repeats or chooses, and unknown surroundings in other components', () => {
    expect(tags(find(`<ul><For each={all()}>{(each) => <img src={hero} />}</For></ul>`)[0])).toEqual([
      ['unknown'],
      ['ul'],
      ['unknown'],
    ])
    expect(tags(find(`<p><Show when={on()}><img src={hero} /></Show></p>`)[0])).toEqual([
      ['unknown'],
      ['p'],
      ['unknown'],
    ])
    expect(tags(find(`<p><Card><img src={hero} /></Card></p>`)[0])).toEqual([['unknown'], [], ['unknown']])
  })

  it.each([
    `<img src="/hero.png" />`,
    `<img src={hero} srcset={more} />`,
    `<img src={hero} data-pixpress="off" />`,
    `<img src={hero} use:zoom />`,
    `<img {...rest} />`,
    `<Img src={hero} />`,
  ])('is not found in %s', (jsx) => {
    expect(find(jsx)).toEqual([])
  })
})

const replaced = (jsx: string, shown: Parameters<typeof replaceJsx>[3]): string => {
  const text = new MagicString(`${HEAD}\n(${jsx})`)
  for (const image of find(jsx)) replaceJsx(text, image, 'Shown', shown)
  return text.toString().slice(HEAD.length + 2, -1)
}

it('has a component in the place of the element, with what is shown or looked up', () => {
  expect(replaced(`<img ref={box} src={hero} alt="" />`, 'shown')).toBe(`<Shown ref={box} src={shown} alt="" />`)
  expect(replaced(`<img src={hero}></img>`, 'shown')).toBe('<Shown src={shown}></Shown>')
  expect(replaced(`<img src={item.url} />`, { find: 'find', isShown: 'IS' })).toBe(`<Shown src={find(item.url, IS)} />`)
})
