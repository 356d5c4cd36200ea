import { deliveryUrl } from '@pixpress/client/delivery'
import Image from 'next/image'

const options = { endpoint: process.env.IMAGES_ENDPOINT, key: process.env.IMAGES_SIGNING_KEY }
/** Heights at 640 pixels of width. */
const pictures = [
  { name: 'fig.jpg', height: 433 },
  { name: 'chart.png', height: 356 },
  { name: 'sunrise.jpg', height: 427 },
]

/** A component of the server, which signs one template for each picture. */
export default async function Page() {
  const templates = await Promise.all(pictures.map(({ name }) => deliveryUrl(`photos/${name}`, { w: '*' }, options)))
  return (
    <main>
      <h1>Delivered pictures</h1>
      {templates.map((src, index) => (
        <Image
          key={src}
          src={src}
          alt={pictures[index].name}
          width={640}
          height={pictures[index].height}
          sizes="(min-width: 60rem) 30vw, 90vw"
        />
      ))}
    </main>
  )
}
