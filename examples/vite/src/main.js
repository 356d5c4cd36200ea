import { picture } from './picture.js'
import { showSavings } from './savings.js'

// One URL, as without the plugin.
import chart from '../../images/chart.png'
import coffee from '../../images/coffee.png'
import dahlia from '../../images/dahlia.jpg'
import temple from '../../images/temple.jpg'
// One URL of an image that is no wider than its place.
import dashboard from '../../images/dashboard.png?w=1280'
import fig from '../../images/fig.jpg?w=960'
import sunrise from '../../images/sunrise.jpg?w=960'
// Several widths and types, of which the browser takes the smallest that fits.
import mountains from '../../images/mountains.jpg?w=480;960&format=avif;webp;jpg&as=picture'
// The same by the name of a preset in vite.config.js.
import meadow from '../../images/meadow.jpg?preset=hero'

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
const cards = stories.map(
  ([image, title, text]) => `<article>${picture(image, title)}<h3>${title}</h3><p>${text}</p></article>`,
)

put('#hero', picture(meadow, 'Dandelions in the evening sun', '100vw'))
put('.cards', ...cards)
put('.editor', picture(cat, 'The editor, a cat'))
put('.icons', ...Object.values(icons).map((src) => picture(src, '')))
put('.figures', picture(dashboard, 'Visits by page'), picture(chart, 'Kilometres by month'))

// The dev server has no report.
if (import.meta.env.PROD) showSavings(document.querySelector('.saved'))

function put(selector, ...html) {
  document.querySelector(selector).insertAdjacentHTML('afterbegin', html.join(''))
}
