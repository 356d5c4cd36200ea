import { generateHydrationScript, renderToString } from 'solid-js/web'
import App from './App.jsx'

export const html = () => renderToString(() => <App />)
export const head = generateHydrationScript()
