import type { ClipboardEvent, DragEvent } from 'react'

export const noPictures = 'Pictures cannot be kept in notes yet.'

/**
 * Returns the handler that refuses pictures. It handles the capture of `paste` and `drop`, before the field does: an editor would
 * read the picture as text, and a text area would leave the page for it.
 */
export const refusePicture = (onRefused: () => void) => (event: ClipboardEvent | DragEvent) => {
  const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer
  if (![...data.files].some(({ type }) => type.startsWith('image/'))) return
  // Programs copy formatted text together with a picture of it.
  const isText = data.getData('text/plain') !== '' && data.getData('text/html') !== ''
  if (event.type === 'paste' && isText) return
  event.preventDefault()
  event.stopPropagation()
  onRefused()
}
