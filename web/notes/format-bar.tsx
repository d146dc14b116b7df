import { Button } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { Format } from './editor/format.ts'
import { noteIcons } from './note-icons.ts'

const icons: Record<Format, IconName> = { ...noteIcons, list: 'list', undo: 'undo' }

const formats: [Format, string, string][] = [
  ['heading', 'Heading', 'Makes the line a heading'],
  ['checkbox', 'Checkbox', 'Makes the line a checkbox'],
  ['list', 'List', 'Makes the line an item of a list'],
  ['table', 'Table', 'Adds a table below the line'],
  ['indent', 'Indent', 'Moves the item one level in, or goes to the next cell of a table'],
  ['outdent', 'Outdent', 'Moves the item one level out, or goes to the previous cell of a table'],
  ['link', 'Link', 'Makes the selection a link, and goes from its words to its address'],
  ['undo', 'Undo typing', 'Takes back what was typed last'],
]

/** Formats the caret's line or the selection. On a phone it is above the on-screen keyboard. */
export const FormatBar = ({ onFormat }: { onFormat: (format: Format) => void }) => (
  <div className="note-format wraps tight measure" role="toolbar" aria-label="Format">
    {formats.map(([format, name, hint]) => (
      <Button
        key={format}
        className="button button-quiet"
        data-format={format}
        title={hint}
        aria-label={name}
        // The focus stays in the text.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onFormat(format)}
      >
        <Icon name={icons[format]} />
        <span className="note-format-name">{name}</span>
      </Button>
    ))}
  </div>
)
