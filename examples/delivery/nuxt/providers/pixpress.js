import { atWidth } from '@pixpress/client/delivery'

/** `src` is a template that the page's server has signed: providers run in browsers too, where no key may be. */
export default () => ({
  getImage: (src, { modifiers = {} } = {}) => ({ url: modifiers.width ? atWidth(src, Number(modifiers.width)) : src }),
})
