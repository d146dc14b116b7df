import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import type { Format } from './format.ts'

const formats: [Format, string, string][] = [
  ['heading', 'Heading', 'Makes the line a heading'],
  ['checkbox', 'Checkbox', 'Makes the line a checkbox'],
  ['list', 'List', 'Makes the line an item of a list'],
  ['link', 'Link', 'Makes the selection a link'],
]

type FormatBarProps = { onFormat: (format: Format) => void; children: ReactNode }

/** Markdown without typing its marks: for the caret's line or the selection. */
export const FormatBar = ({ onFormat, children }: FormatBarProps) => (
  <div className="note-format" role="toolbar" aria-label="Format">
    {formats.map(([format, name, hint]) => (
      <button
        key={format}
        type="button"
        className="button button-quiet"
        title={hint}
        aria-label={name}
        // The focus stays in the text.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onFormat(format)}
      >
        <Icon name={format} />
        <span className="note-format-name">{name}</span>
      </button>
    ))}
    {children}
  </div>
)
