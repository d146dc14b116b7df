import { type StoreApi, useStore } from 'zustand'
import { Delayed } from '../../ui/delayed.tsx'
import type { QuickLines, Send } from './quick-lines.ts'

type UnsentLinesProps = { lines: StoreApi<QuickLines>; send: Send }

/** The entered lines that the server has not confirmed: those on their way, and those that were not added. */
export function UnsentLines({ lines, send }: UnsentLinesProps) {
  const { sending, failed, sendAgain, discard } = useStore(lines)
  return (
    <div className="unsent-lines">
      {sending.length > 0 && (
        <Delayed>
          <ul aria-label="Being added">
            {sending.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines leave in the order in which they came
              <li key={index} dir="auto">
                {line.draft.title}
              </li>
            ))}
          </ul>
        </Delayed>
      )}
      {failed.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same text can be entered twice
        <div key={index} role="alert" className="unsent-line">
          <p>
            “<bdi>{line.draft.title}</bdi>” was not added. {line.reason}
          </p>
          <button
            type="button"
            className="link-button"
            aria-label={`Add again: ${line.draft.title}`}
            onClick={() => sendAgain(line, send)}
          >
            Add again
          </button>
          <button
            type="button"
            className="link-button"
            aria-label={`Discard: ${line.draft.title}`}
            onClick={() => discard(line)}
          >
            Discard
          </button>
        </div>
      ))}
    </div>
  )
}
