import { deliveryUrl } from '@pixpress/client/delivery'

const names = ['fig.jpg', 'chart.png', 'sunrise.jpg']

/** Signs one template for each picture, where the key is. */
export default defineEventHandler(() => {
  const options = { endpoint: process.env.IMAGES_ENDPOINT, key: process.env.IMAGES_SIGNING_KEY }
  return Promise.all(
    names.map(async (name) => ({ name, src: await deliveryUrl(`photos/${name}`, { w: '*' }, options) })),
  )
})
