/// <reference types="unplugin-pixpress/client" />

declare module '*.wasm?url' {
  const url: string
  export default url
}

declare module '*?original' {
  const url: string
  export default url
}

declare module '*.css'
