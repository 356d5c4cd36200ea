import photo from './assets/photo.jpg'
import scene from './assets/scene.svg'
import './style.css'

document.querySelector('#app').innerHTML = `<img src="${photo}" alt="" /><img src="${scene}" alt="" />`
