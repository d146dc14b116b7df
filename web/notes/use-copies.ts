import type { NoteDocument } from '../engine/notes/note-document.ts'
import { keepTyped } from '../ui/held-keys.ts'
import { saveFile } from '../ui/save-file.ts'
import { titleOfText } from './markdown/plain-text.ts'
import type { MenuItem } from './note-menu.tsx'
import { useWriteNote } from './use-go-to-note.ts'

/** White space, and characters that some file systems forbid in names. */
const forbidden = /[\s\\/:*?"<>|\p{Cc}]+/gu

export function useCopies(note: NoteDocument, onFailure: (reason: string) => void): MenuItem[] {
  const writeNote = useWriteNote()
  return [
    {
      name: 'Duplicate',
      onClick() {
        keepTyped(note.text)
        writeNote()
      },
    },
    {
      name: 'Copy as Markdown',
      // Without HTTPS there is no clipboard.
      isOff: !('clipboard' in navigator),
      onClick: () =>
        navigator.clipboard
          .writeText(note.text)
          .catch((error: Error) => onFailure(`The note was not copied. ${error.message}`)),
    },
    {
      name: 'Save as file',
      onClick() {
        const title = titleOfText(note.text).replace(forbidden, ' ').trim()
        saveFile(`${title || 'Note'}.md`, note.text, 'text/markdown')
      },
    },
  ]
}
