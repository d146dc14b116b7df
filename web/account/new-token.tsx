import { useState } from 'react'
import { Field } from '../ui/field.tsx'
import { QuietNotice } from '../ui/notice.tsx'

/** A token that was just made. The server does not have its text any more. */
export const NewToken = ({ token }: { token: string }) => (
  <QuietNotice>
    <p>Copy the token now: it is shown only this once. Whoever has it uses your account as it says.</p>
    <Copied label="Token" text={token} />
  </QuietNotice>
)

/** A secret text with a button that copies it. */
function Copied({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  return (
    <Field label={label} help={isCopied && 'Copied.'}>
      {(control) => (
        <div className="copied">
          <input
            {...control}
            readOnly
            value={text}
            spellCheck={false}
            onFocus={({ target }) => target.select()}
          />
          {/* Without HTTPS there is no clipboard. */}
          {'clipboard' in navigator && (
            <button
              type="button"
              className="button"
              onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true), console.error)}
            >
              Copy
            </button>
          )}
        </div>
      )}
    </Field>
  )
}
