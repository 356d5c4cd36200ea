import { deliveryUrl } from '@pixpress/client/delivery'

const options = { endpoint: process.env.IMAGES_ENDPOINT, key: process.env.IMAGES_SIGNING_KEY }

const sourceOf = ({ src }) => (typeof src === 'string' ? src : src.src).replace(/^\//, '')

/** Pages are made where the key is, so the service signs by itself. */
export default {
  validateOptions: (given) => given,
  getURL: ({ width, height, format, quality, ...rest }) =>
    deliveryUrl(sourceOf(rest), { w: width, h: height, format, quality }, options),
  getSrcSet: ({ widths = [], ...given }) =>
    widths.map((width) => ({ transform: { ...given, width, height: undefined }, descriptor: `${width}w` })),
  getHTMLAttributes({ src: _src, format: _format, quality: _quality, widths: _widths, ...attributes }) {
    return { ...attributes, loading: attributes.loading ?? 'lazy', decoding: attributes.decoding ?? 'async' }
  },
}
