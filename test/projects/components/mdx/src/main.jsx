import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import Page from './page.mdx'
import './style.css'

createRoot(document.querySelector('#root')).render(createElement(Page))
