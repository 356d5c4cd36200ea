import { invoke } from '@tauri-apps/api/core'
import photo from './assets/photo.jpg'

async function greet() {
  document.querySelector('#greeting').textContent = await invoke('greet', { name: 'pixpress' })
}

const picture = document.createElement('img')
picture.src = photo
picture.addEventListener('click', greet)
document.body.append(picture)
