// Written by pixpress (option `types`): a module for every query of an image import in use.
// `npx pixpress types --check` tells whether it is up to date. Beside it, unplugin-pixpress/client is not needed.
// oxlint-disable
/* eslint-disable */
// options: {}

declare module '*?as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?as=img&w=20&lqip=thumbhash' {
  const value: {
    src: string
    w: number
    h: number
    placeholder: string
    color: string
    hash?: string | undefined
    width: number
    height: number
  }
  export default value
  export const color: string
  export const h: number
  export const hash: string | undefined
  export const height: number
  export const placeholder: string
  export const src: string
  export const w: number
  export const width: number
}

declare module '*?as=img&w=20;40' {
  const value: { src: string; w: number; h: number; srcset: string }
  export default value
  export const h: number
  export const src: string
  export const srcset: string
  export const w: number
}

declare module '*?as=meta' {
  const value: { format: 'png'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'png'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?as=metadata' {
  const value: { format: 'png'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'png'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?as=metadata&w=20&format=webp' {
  const value: { format: 'webp'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'webp'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?as=picture' {
  const value: { sources: Record<string, never>; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: Record<string, never>
}

declare module '*?as=srcset' {
  const value: string
  export default value
}

declare module '*?as=url' {
  const value: string
  export default value
}

declare module '*?format=webp&w=640' {
  const value: string
  export default value
}

declare module '*?original' {
  const value: string
  export default value
}

declare module '*?quality=50' {
  const value: string
  export default value
}

declare module '*?url&original' {
  const value: string
  export default value
}

declare module '*?w=1' {
  const value: string
  export default value
}

declare module '*?w=1&as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?w=10&as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?w=10&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=100&as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?w=100&as=metadata' {
  const value: { format: 'png'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'png'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?w=100;200&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=100;200&format=webp;jpg&as=picture' {
  const value: { sources: { webp: string; jpeg: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { webp: string; jpeg: string }
}

declare module '*?w=10;20&as=picture' {
  const value: { sources: { png: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { png: string }
}

declare module '*?w=12' {
  const value: string
  export default value
}

declare module '*?w=120' {
  const value: string
  export default value
}

declare module '*?w=120&format=webp' {
  const value: string
  export default value
}

declare module '*?w=1280' {
  const value: string
  export default value
}

declare module '*?w=160&format=webp&as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?w=160;320&format=webp;jpg&as=picture&lqip=thumbhash' {
  const value: {
    sources: { webp: string; jpeg: string }
    img: { src: string; w: number; h: number }
    placeholder: string
    color: string
    hash?: string | undefined
    width: number
    height: number
  }
  export default value
  export const color: string
  export const hash: string | undefined
  export const height: number
  export const img: { src: string; w: number; h: number }
  export const placeholder: string
  export const sources: { webp: string; jpeg: string }
  export const width: number
}

declare module '*?w=1;2' {
  const value: [string, string]
  export default value
}

declare module '*?w=2' {
  const value: string
  export default value
}

declare module '*?w=20' {
  const value: string
  export default value
}

declare module '*?w=20&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=20;40' {
  const value: [string, string]
  export default value
}

declare module '*?w=20;40&as=img' {
  const value: { src: string; w: number; h: number; srcset: string }
  export default value
  export const h: number
  export const src: string
  export const srcset: string
  export const w: number
}

declare module '*?w=20;40&as=picture&format=avif;webp;jpg' {
  const value: { sources: { avif: string; webp: string; jpeg: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { avif: string; webp: string; jpeg: string }
}

declare module '*?w=20;40&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=24;48&as=img' {
  const value: { src: string; w: number; h: number; srcset: string }
  export default value
  export const h: number
  export const src: string
  export const srcset: string
  export const w: number
}

declare module '*?w=3' {
  const value: string
  export default value
}

declare module '*?w=30' {
  const value: string
  export default value
}

declare module '*?w=30&as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?w=30&quality=75' {
  const value: string
  export default value
}

declare module '*?w=300' {
  const value: string
  export default value
}

declare module '*?w=300&as=meta' {
  const value: { format: 'png'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'png'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?w=300&as=metadata' {
  const value: { format: 'png'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'png'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?w=300&as=picture' {
  const value: { sources: Record<string, never>; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: Record<string, never>
}

declare module '*?w=300&as=url' {
  const value: string
  export default value
}

declare module '*?w=300&lqip=thumbhash&as=img' {
  const value: {
    src: string
    w: number
    h: number
    placeholder: string
    color: string
    hash?: string | undefined
    width: number
    height: number
  }
  export default value
  export const color: string
  export const h: number
  export const hash: string | undefined
  export const height: number
  export const placeholder: string
  export const src: string
  export const w: number
  export const width: number
}

declare module '*?w=300&quality=75&as=img' {
  const value: { src: string; w: number; h: number }
  export default value
  export const h: number
  export const src: string
  export const w: number
}

declare module '*?w=300;600&as=img' {
  const value: { src: string; w: number; h: number; srcset: string }
  export default value
  export const h: number
  export const src: string
  export const srcset: string
  export const w: number
}

declare module '*?w=300;600&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=300;600&format=avif;webp;jpg&as=picture' {
  const value: { sources: { avif: string; webp: string; jpeg: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { avif: string; webp: string; jpeg: string }
}

declare module '*?w=320&format=webp' {
  const value: string
  export default value
}

declare module '*?w=320;640' {
  const value: [string, string]
  export default value
}

declare module '*?w=4' {
  const value: string
  export default value
}

declare module '*?w=40&format=webp' {
  const value: string
  export default value
}

declare module '*?w=40&format=webp&quality=20' {
  const value: string
  export default value
}

declare module '*?w=400;800&format=avif;webp&as=picture' {
  const value: { sources: { avif: string; webp: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { avif: string; webp: string }
}

declare module '*?w=40;80&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=40;80&format=avif;webp&as=picture' {
  const value: { sources: { avif: string; webp: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { avif: string; webp: string }
}

declare module '*?w=40;80&format=webp&as=srcset&no-inline' {
  const value: string
  export default value
}

declare module '*?w=45&format=jxl' {
  const value: string
  export default value
}

declare module '*?w=480;960&format=avif;webp;jpg&as=picture' {
  const value: { sources: { avif: string; webp: string; jpeg: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { avif: string; webp: string; jpeg: string }
}

declare module '*?w=5' {
  const value: string
  export default value
}

declare module '*?w=50' {
  const value: string
  export default value
}

declare module '*?w=50&h=50&fit=cover' {
  const value: string
  export default value
}

declare module '*?w=50&quality=small' {
  const value: string
  export default value
}

declare module '*?w=60' {
  const value: string
  export default value
}

declare module '*?w=60&format=webp;png&as=picture' {
  const value: { sources: { webp: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { webp: string }
}

declare module '*?w=60&h=60&fit=cover&as=metadata' {
  const value: { format: 'png'; size: number; width: number; height: number; hasAlpha: boolean; src: string }
  export default value
  export const format: 'png'
  export const hasAlpha: boolean
  export const height: number
  export const size: number
  export const src: string
  export const width: number
}

declare module '*?w=640&format=avif;webp' {
  const value: [string, string]
  export default value
}

declare module '*?w=80' {
  const value: string
  export default value
}

declare module '*?w=80&format=webp' {
  const value: string
  export default value
}

declare module '*?w=80;160&as=img' {
  const value: { src: string; w: number; h: number; srcset: string }
  export default value
  export const h: number
  export const src: string
  export const srcset: string
  export const w: number
}

declare module '*?w=80;160&basePixels=80&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=80;160&format=avif;webp;jpg&as=picture' {
  const value: { sources: { avif: string; webp: string; jpeg: string }; img: { src: string; w: number; h: number } }
  export default value
  export const img: { src: string; w: number; h: number }
  export const sources: { avif: string; webp: string; jpeg: string }
}

declare module '*?w=80;160&format=webp&as=srcset' {
  const value: string
  export default value
}

declare module '*?w=960' {
  const value: string
  export default value
}
