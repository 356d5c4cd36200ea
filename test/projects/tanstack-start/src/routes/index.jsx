import { createFileRoute } from '@tanstack/react-router'
import logo from '../assets/logo.png'
import photo from '../assets/photo.jpg'
import scene from '../assets/scene.svg'

export const Route = createFileRoute('/')({ component: Home })

function Home() {
  return (
    <main>
      <img src={photo} alt="" />
      <img src={logo} alt="" />
      <img src={scene} alt="" />
    </main>
  )
}
