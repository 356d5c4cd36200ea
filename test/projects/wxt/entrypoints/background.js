import { defineBackground } from 'wxt/utils/define-background'

export default defineBackground(() => console.log(chrome.runtime.getURL('/icon.png')))
