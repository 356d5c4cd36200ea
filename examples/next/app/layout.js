import './globals.css'

export const metadata = { title: 'pixpress in Next.js' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
