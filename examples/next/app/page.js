import Image from 'next/image'
import dahlia from '../../images/dahlia.jpg'
import mountains from '../../images/mountains.jpg?w=320;640&format=avif;jpg&as=picture'
import { Likes } from './likes.js'
import styles from './page.module.css'

const { sources, img } = mountains

export default function Page() {
  return (
    <main className={styles.gallery}>
      <Image id="dahlia" src={dahlia} placeholder="blur" alt="A dahlia" />
      <picture>
        {Object.entries(sources).map(([type, srcSet]) => (
          <source key={type} type={`image/${type}`} srcSet={srcSet} sizes="320px" />
        ))}
        <img id="mountains" src={img.src} width={img.w} height={img.h} alt="Mountains" />
      </picture>
      <Likes />
    </main>
  )
}
