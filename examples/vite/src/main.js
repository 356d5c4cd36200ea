import { picture } from './picture.js'

// One file, many widths and types: the browser takes the smallest that fits.
import meadow from '../../images/meadow.jpg?w=640;1280;1920&format=avif;webp;jpg&as=picture'
// The same with the name of a preset in vite.config.js.
import mountains from '../../images/mountains.jpg?preset=card'
import sunrise from '../../images/sunrise.jpg?preset=card'
import fig from '../../images/fig.jpg?preset=card'
import temple from '../../images/temple.jpg?preset=card'
// Any other import is one URL, as ever.
import coffee from '../../images/coffee.png'
import dahlia from '../../images/dahlia.jpg'
import chart from '../../images/chart.png'
import dashboard from '../../images/dashboard.png'

const cat = new URL('../../images/cat.webp', import.meta.url).href
const icons = import.meta.glob('../../images/{backpack,bicycle,camera}.webp', { eager: true, import: 'default' })

const stories = [
  [mountains, 'Above the beech woods', 'Three days along the ridge, and one wrong valley.'],
  [coffee, 'The second cup', 'What a bar tells about its town before eight.'],
  [temple, 'Stairs to the lake', 'Four hundred and one steps, counted twice.'],
  [fig, 'A fig for lunch', 'The market, the bowl, and the shade it left.'],
  [sunrise, 'First light, last snow', 'Up at four for eleven minutes of gold.'],
  [dahlia, 'The gardener of platform 2', 'She has watered the station since 1987.'],
]

const put = (selector, html) => document.querySelector(selector).insertAdjacentHTML('afterbegin', html)

put('#hero', picture(meadow, 'Dandelions in the evening sun', '100vw'))
put(
  '.cards',
  stories
    .map(([image, title, text]) => `<article>${picture(image, title)}<h3>${title}</h3><p>${text}</p></article>`)
    .join(''),
)
put('.editor', picture(cat, 'The editor, a cat'))
put(
  '.icons',
  Object.values(icons)
    .map((src) => picture(src, ''))
    .join(''),
)
put('.figures', picture(dashboard, 'Visits by page') + picture(chart, 'Kilometres by month'))
