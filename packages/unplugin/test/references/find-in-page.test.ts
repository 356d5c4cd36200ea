import { expect, it } from 'vitest'
import { findInPage } from '../../src/references/find-in-page.ts'

it.each(['a.png', 'a.APNG?x', 'a.svg#icon', '../a.jpeg', 'a.pjp', 'a.jxl'])('finds %s', async (url) => {
  expect((await findInPage(`<img src="${url}">`)).map((each) => each.url)).toEqual([url])
})

it('looks no further where nothing can be an image', async () => {
  expect(await findInPage('<script src="/src/main.js"></script><img src="/photo">')).toEqual([])
})
