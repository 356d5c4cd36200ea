const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`

/** Shows what the build saved, from the report that it wrote beside the page. */
export async function showSavings(element) {
  const response = await fetch('report.json')
  if (!response.ok) return
  const { images, before, after, ratio } = (await response.json()).totals
  const share = Math.round((1 - ratio) * 100)
  element.innerHTML = `<strong>${share} % saved</strong> by pixpress: ${images} images, ${megabytes(before)} → ${megabytes(after)}`
  element.hidden = false
}
