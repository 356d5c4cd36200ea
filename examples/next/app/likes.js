'use client'
import { useState } from 'react'
import fig from '../../images/fig.jpg?w=320&format=webp'
import logo from '../../images/logo.png'

const icon = new URL('../../images/icon.png', import.meta.url).href

export function Likes() {
  const [likes, setLikes] = useState(0)
  return (
    <>
      <img id="logo" src={logo.src} width={logo.width} height={logo.height} alt="" />
      <img id="icon" src={icon} alt="" />
      <button onClick={() => setLikes(likes + 1)}>
        <img id="fig" src={fig} width="320" alt="A fig" /> {likes}
      </button>
    </>
  )
}
