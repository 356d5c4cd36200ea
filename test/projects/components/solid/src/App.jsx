import { For, createSignal } from 'solid-js'
import photo from './photo.jpg'
import hills from './hills.png'

const data = [
  { name: 'photo', url: photo },
  { name: 'hills', url: hills },
  { name: 'listed', url: '/img/listed.png' },
  { name: 'joined', url: ['/img', 'joined.png'].join('/') },
]

export default function App() {
  const [clicks, setClicks] = createSignal(0)
  return (
    <main>
      <img id="hero" src={photo} alt="hero" class="hero" width="300" onClick={() => setClicks(clicks() + 1)} />
      <output>{clicks()}</output>
      <div class="list">
        <For each={data}>{({ name, url }) => <img src={url} alt={name} width="120" height="80" />}</For>
      </div>
      <div class="strict">
        <img src={hills} alt="strict" width="200" />
        <img src="/img/written.png" alt="written" width="90" />
      </div>
    </main>
  )
}
