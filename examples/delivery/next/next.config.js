export default {
  output: 'export',
  distDir: 'dist',
  images: { loader: 'custom', loaderFile: './image-loader.js', deviceSizes: [320, 640, 1280], imageSizes: [160] },
}
