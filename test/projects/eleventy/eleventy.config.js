import pixpress from 'unplugin-pixpress/eleventy'

export default function configure(config) {
  config.addPlugin(pixpress)
  config.addPassthroughCopy({ public: '/' })
  config.addPassthroughCopy('src/style.css')
  config.addPassthroughCopy('src/assets/hills.png')
  return { dir: { input: 'src', output: 'dist' } }
}
