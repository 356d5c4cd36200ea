import logo from '../assets/logo.png'
import photo from '../assets/photo.jpg'
import scene from '../assets/scene.svg'

export default function Home() {
  return (
    <main>
      <img src={photo} alt="" />
      <img src={logo} alt="" />
      <img src={scene} alt="" />
    </main>
  )
}
