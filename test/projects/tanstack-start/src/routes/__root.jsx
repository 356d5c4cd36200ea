import { HeadContent, Outlet, Scripts, createRootRoute } from '@tanstack/react-router'
import styles from '../styles.css?url'

export const Route = createRootRoute({
  head: () => ({
    meta: [{ charSet: 'utf-8' }, { title: 'TanStack Start' }],
    links: [
      { rel: 'stylesheet', href: styles },
      { rel: 'icon', href: '/icon.png' },
    ],
  }),
  component: Root,
})

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
