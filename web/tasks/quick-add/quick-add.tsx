import {
  type ClipboardEvent,
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import { isBlank } from '#contract/blank.ts'
import type { Priority } from '#contract/task-fields.ts'
import { isSeveralLines } from '../../engine/quick-lines.ts'
import { rejectedLines } from '../../engine/waiting.ts'
import { useEngine, useJournal } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { ChunkFailure } from '../../ui/chunk-failure.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import { isModified, pressedKey } from '../../ui/pressed-key.ts'
import { loadTogether, useChunk } from '../../ui/use-chunk.ts'
import { quickLineKey } from '../../views/command-keys.ts'
import { LaterDraftOffer, loadUnsentTexts } from '../form/later-draft-offer.tsx'
import { TagCompletion } from '../form/tag-completion.tsx'
import { useLineWords } from './use-line-words.ts'
import './quick-add.css'

const loadTools = () =>
  loadTogether(import('./line-help.tsx'), import('./pasted-lines.tsx'), import('./quick-chip.tsx'))

/** The values that a task gets for fields that its text does not name, and the tag that is added to its title. */
type QuickAddProps = { dueIn: number | null; priority: Priority; tag?: string; hint: string }

export function QuickAdd({ dueIn, priority, tag, hint }: QuickAddProps) {
  const box = useRef<HTMLInputElement>(null)
  const lines = useEngine().quickLines
  const line = useStore(lines)
  const { text, type, pasted, enter, edit, offered, lookUpOffers, restore, discardOffer } = line
  // Not during rendering: the prerendered page has no storage.
  useEffect(lookUpOffers, [lookUpOffers])
  const [unsent] = useChunk(
    loadUnsentTexts,
    useJournal((journal) => rejectedLines(journal.entries()).length > 0),
  )
  const today = useToday()
  const onDecided = () => box.current?.focus()
  const words = useLineWords(line, { today, dueIn, priority, tag, onDecided })
  const { marks, offer, read, toText, choose } = words
  const [isHelping, setHelping] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const [loaded, loadAgain] = useChunk(loadTools, Boolean(isUsed || text || pasted))
  const tools = typeof loaded === 'object' ? loaded : undefined
  const helpId = useId()

  function add(event: SubmitEvent) {
    event.preventDefault()
    const values = read(text, words.decided)
    // Enter after lines were pasted takes the first offer.
    if (isBlank(values.title))
      return (event.target as HTMLElement).querySelector<HTMLElement>('[data-offer]')?.click()
    enter(values)
    words.forgetChosen()
    setHelping(false)
  }

  /** The box has one line, which would join them. */
  function paste(event: ClipboardEvent) {
    const lines = event.clipboardData.getData('text/plain')
    if (!isSeveralLines(lines)) return
    event.preventDefault()
    use()
    line.paste(lines)
  }

  function use() {
    setUsed(true)
    if (loaded === 'failed') loadAgain()
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const key = pressedKey(event.nativeEvent)
    // Neither one that ends a composition nor one that is held down adds the line.
    if (event.key === 'Enter' && (key !== 'Enter' || event.repeat)) event.preventDefault()
    if (key === 'Escape') event.currentTarget.blur()
    const isBack = key === 'Backspace' && !event.repeat && !isModified(event)
    if (isBack && words.takeBack(event.currentTarget)) event.preventDefault()
  }

  return (
    <form className="quick-add" onSubmit={add} onFocus={use}>
      <div className="quick-line row wraps soft">
        <Icon name="plus" />
        <TagCompletion>
          <input
            ref={box}
            className="bare-input"
            value={text}
            aria-label="Quick add"
            aria-keyshortcuts={quickLineKey}
            data-quick-add
            placeholder={hint}
            autoComplete="off"
            enterKeyHint="done"
            dir="auto"
            onFocus={words.load}
            onKeyDown={press}
            onPaste={paste}
            onChange={({ target }) => type(target.value)}
          />
        </TagCompletion>
        <Button
          className="icon-button line-help-button"
          aria-label="What you can type here"
          aria-expanded={isHelping}
          aria-controls={isHelping ? helpId : undefined}
          onClick={() => setHelping(!isHelping)}
        >
          ?
        </Button>
        {/* They come while somebody types, so Tab does not go to them first. */}
        {tools && (
          <tools.QuickChips
            marks={offer ? [...marks, offer] : marks}
            today={today}
            onPress={({ isOffer, words }) => (isOffer ? choose(words) : toText(words))}
          />
        )}
      </div>
      {isHelping && tools && <tools.LineHelp id={helpId} lines={lines} />}
      {pasted && tools && <tools.PastedLines key={pasted.text} pasted={pasted} lines={lines} read={read} />}
      {loaded === 'failed' && (isHelping || pasted) && <ChunkFailure />}
      {unsent && unsent !== 'failed' && <unsent.UnsentLines onEdit={edit} />}
      <LaterDraftOffer offered={offered?.[0]} restore={restore} discard={discardOffer} />
    </form>
  )
}
