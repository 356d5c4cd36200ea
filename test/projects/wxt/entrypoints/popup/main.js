import photo from '../../assets/photo.jpg'
import './style.css'

const picture = document.createElement('img')
picture.src = photo
document.body.append(picture)
