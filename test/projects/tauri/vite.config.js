import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

// As create-tauri-app writes it: what `tauri build` packs into the application is the output of this build.
export default defineConfig({
  plugins: [pixpress()],
  clearScreen: false,
  server: { port: 1420, strictPort: true, watch: { ignored: ['**/src-tauri/**'] } },
  envPrefix: ['VITE_', 'TAURI_ENV_*'],
  build: { target: 'safari13' },
})
