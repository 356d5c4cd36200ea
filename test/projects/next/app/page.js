import Image from 'next/image'
import logo from '../assets/logo.png'
import photo from '../assets/photo.jpg'
import scene from '../assets/scene.svg'

export default function Page() {
  return (
    <main>
      <Image src={photo} alt="" />
      <Image src={logo} alt="" />
      <Image src={scene} alt="" />
      <Image src="/icon.png" width={96} height={96} alt="" />
    </main>
  )
}
