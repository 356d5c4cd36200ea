// A glob whose images nobody uses leaves none in the output: that is what `assets` of the plugin is for.
const images = import.meta.glob(['../images/logo.png', '../images/scene.svg'], { eager: true, import: 'default' })

for (const url of Object.values(images)) {
  const picture = document.createElement('img')
  picture.src = url
  document.body.append(picture)
}
