import laravel from 'laravel-vite-plugin'
import pixpress from 'unplugin-pixpress/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    laravel({
      input: ['resources/css/app.css', 'resources/js/app.js'],
      // Templates name these with Vite::asset().
      assets: ['resources/images/photo.jpg', 'resources/images/icon.png'],
    }),
    pixpress(),
  ],
})
