import { For, createSignal } from 'solid-js'
import { render } from 'solid-js/web'
import photo from './photo.jpg'
import hills from './hills.png'
import './style.css'

const data = [
  { name: 'photo', url: photo },
  { name: 'hills', url: hills },
]

function App() {
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
      </div>
    </main>
  )
}

render(() => <App />, document.querySelector('#root'))
