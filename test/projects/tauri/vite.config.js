import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

// create-tauri-app writes it so. `tauri build` packs the output of this build into the application.
export default defineConfig({
  plugins: [pixpress()],
  clearScreen: false,
  server: { port: 1420, strictPort: true, watch: { ignored: ['**/src-tauri/**'] } },
  envPrefix: ['VITE_', 'TAURI_ENV_*'],
  build: { target: 'safari13' },
})
