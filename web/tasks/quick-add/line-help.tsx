import { type MouseEvent, useState } from 'react'
import type { StoreApi } from 'zustand'
import type { QuickLines } from '../../engine/quick-lines.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { lineExamples } from './line-examples.ts'
import '../../ui/empty-state.css'

export function LineHelp({ id, lines }: { id: string; lines: StoreApi<QuickLines> }) {
  const { formDrafts } = useEngine()
  const [tried, setTried] = useState('')
  const choose = (title: string) => (event: MouseEvent<HTMLButtonElement>) => {
    const { text, type, restore } = lines.getState()
    if (text === '' || text === tried) type(title)
    // The typed text is then offered below the line.
    else restore({ key: formDrafts.newKey('quick') ?? '', values: { title }, at: Date.now() })
    setTried(title)
    event.currentTarget.form?.querySelector('input')?.focus()
  }
  return (
    <ul id={id} className="line-help stack" aria-label="Examples">
      {lineExamples.map(([example, meaning]) => (
        <li key={example} className="row wraps words soft small">
          <Button className="lesson-example" onClick={choose(example)}>
            {example}
          </Button>
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  )
}
