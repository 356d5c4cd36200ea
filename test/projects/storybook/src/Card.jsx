import React from 'react'
import logo from './assets/logo.png'
import photo from './assets/photo.jpg'
import scene from './assets/scene.svg'
import './style.css'

export function Card() {
  return (
    <main>
      <img src={photo} alt="" />
      <img src={logo} alt="" />
      <img src={scene} alt="" />
      <img src="/icon.png" alt="" />
    </main>
  )
}
