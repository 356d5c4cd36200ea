import { defineContentScript } from 'wxt/utils/define-content-script'
import scene from '../assets/scene.svg'

export default defineContentScript({ matches: ['*://example.com/*'], main: () => console.log(scene) })
