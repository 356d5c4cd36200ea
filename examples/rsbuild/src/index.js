import './style.css'
import cat from '../../images/cat.webp'
import coffee from '../../images/coffee.png'
import dahlia from '../../images/dahlia.jpg'
import fig from '../../images/fig.jpg?w=960'
import mountains from '../../images/mountains.jpg?w=480;960&format=avif;webp;jpg&as=picture'

const temple = new URL('../../images/temple.jpg', import.meta.url).href

const { sources, img } = mountains
const variants = Object.entries(sources).map(
  ([type, srcset]) => `<source type="image/${type}" srcset="${srcset}" sizes="17rem">`,
)
const pictures = [
  `<picture>${variants.join('')}<img src="${img.src}" width="${img.w}" height="${img.h}" alt="Mountains"></picture>`,
  ...Object.entries({ coffee, temple, dahlia, fig, cat }).map(([name, src]) => `<img src="${src}" alt="${name}">`),
]
document.querySelector('main').innerHTML = pictures.join('')
