/** Shows two pictures on top of each other; a slider decides how much of the first is visible. */
export function createComparison(dialog: HTMLDialogElement): (name: string, before: Blob, after: Blob) => void {
  const slider = dialog.querySelector('input')!
  const stage = dialog.querySelector<HTMLElement>('.stage')!
  const [first, second] = [
    stage.querySelector<HTMLImageElement>('.before')!,
    stage.querySelector<HTMLImageElement>('.after')!,
  ]
  const split = (): void => stage.style.setProperty('--split', `${slider.value}%`)
  slider.addEventListener('input', split)
  // The pointer drags the border where it is seen.
  stage.addEventListener('pointermove', (event) => {
    if (event.buttons === 0) return
    const { left, width } = stage.getBoundingClientRect()
    slider.value = String(((event.clientX - left) / width) * 100)
    split()
  })
  dialog.addEventListener('close', () => {
    for (const image of [first, second]) {
      URL.revokeObjectURL(image.src)
      image.removeAttribute('src')
    }
  })
  return (name, before, after) => {
    dialog.querySelector('h2')!.textContent = name
    first.src = URL.createObjectURL(before)
    second.src = URL.createObjectURL(after)
    slider.value = '50'
    split()
    dialog.showModal()
    slider.focus()
  }
}
