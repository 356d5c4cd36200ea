import { createRoot } from 'react-dom/client'
import logo from './assets/logo.png'
import photo from './assets/photo.jpg'
import scene from './assets/scene.svg'
import './style.css'

createRoot(document.getElementById('root')).render(
  <main>
    <img src={photo} alt="" />
    <img src={logo} alt="" />
    <img src={scene} alt="" />
    <img src="/icon.png" alt="" />
  </main>,
)
