import { atWidth } from '@pixpress/client/delivery'

/** `src` is a template that the page has signed: the loader runs in browsers too, where no key may be. */
export default function loader({ src, width }) {
  return atWidth(src, width)
}
