/**
 * Takes files from wherever they come: chosen, pasted, or dropped anywhere on the page.
 * @param input for files
 * @param take given all that came at once
 */
export function takeFiles(input: HTMLInputElement, take: (files: readonly File[]) => void): void {
  input.addEventListener('change', () => {
    take([...(input.files ?? [])])
    // The same file may be chosen again.
    input.value = ''
  })
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length > 0) take(files)
  })
  document.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    document.body.classList.add('dragged')
  })
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    // Within the page, the pointer goes from one element to the next.
    if (relatedTarget === null) document.body.classList.remove('dragged')
  })
  document.addEventListener('drop', (event) => {
    event.preventDefault()
    document.body.classList.remove('dragged')
    const { items = [], files = [] } = event.dataTransfer ?? {}
    void filesOf([...items], [...files]).then((all) => {
      if (all.length > 0) take(all)
    })
  })
}

/** Lists dropped files, those in folders too. Entries have to be taken before the event is over. */
async function filesOf(items: readonly DataTransferItem[], files: readonly File[]): Promise<readonly File[]> {
  const entries = items.flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  // Pasted pictures and links of other pages have no entries.
  if (entries.every(({ isFile }) => isFile)) return files
  return (await Promise.all(entries.map(filesIn))).flat()
}

async function filesIn(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile) {
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return (await Promise.all(found.map(filesIn))).flat()
    // Files such as .DS_Store are none of the user's.
    found.push(...some.filter(({ name }) => !name.startsWith('.')))
  }
}
