import { hydrate } from 'solid-js/web'
import App from './App.jsx'
import './style.css'

hydrate(() => <App />, document.querySelector('#root'))
