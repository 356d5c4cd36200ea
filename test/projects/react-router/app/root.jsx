import { Links, Meta, Outlet, Scripts } from 'react-router'
import './app.css'

export const links = () => [{ rel: 'icon', href: '/icon.png' }]

export function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <Scripts />
      </body>
    </html>
  )
}

export default function App() {
  return <Outlet />
}
