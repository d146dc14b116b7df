export function saveFile(name: string, text: string, type: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  // Browsers read the address some time after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
