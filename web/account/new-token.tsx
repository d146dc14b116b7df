import { useState } from 'react'
import { feedLimits } from '#contract/limits.ts'
import type { Token } from '#contract/tokens.ts'
import { Button } from '../ui/button.tsx'
import { Check } from '../ui/check.tsx'
import { Field } from '../ui/field.tsx'
import { QuietNotice } from '../ui/notice.tsx'
import { QrCode } from './qr-code.tsx'

/** A token that was just made. The server does not have its text any more. */
export const NewToken = ({ token, scope }: Pick<Token, 'scope'> & { token: string }) => (
  <QuietNotice>
    {scope === 'feed' ? (
      <NewCalendar token={token} />
    ) : (
      <>
        <p>Copy the token now: it is shown only this once. Whoever has it uses your account as it says.</p>
        <Copied label="Token" copyName="Copy the token" text={token} />
      </>
    )}
  </QuietNotice>
)

function NewCalendar({ token }: { token: string }) {
  const [isWithDone, setWithDone] = useState(false)
  const path = `/feed/${token}.ics${isWithDone ? '?done=true' : ''}`
  const address = location.origin + path
  return (
    <>
      <p>
        Copy the address now: it is shown only this once. Whoever has it reads the titles of your tasks that
        have a date.
      </p>
      <Check checked={isWithDone} onChange={setWithDone}>
        Also tasks that were done in the last {feedLimits.doneDays} days
      </Check>
      <Copied
        key={path}
        label="Address of the calendar"
        copyName="Copy the calendar address"
        text={address}
      />
      {/* A phone that reads it needs no typing. */}
      <QrCode text={address} label="The address as a QR code" />
      <dl>
        <dt className="strong">Apple Calendar</dt>
        <dd>
          File, New Calendar Subscription. On an iPhone: Calendars, Add Calendar, Add Subscription Calendar.
        </dd>
        <dt className="strong">Google Calendar</dt>
        <dd>Other calendars, Add, From URL. Google must reach this server, and looks every few hours.</dd>
        <dt className="strong">Thunderbird</dt>
        <dd>New Calendar, On the Network, with the address as the location and no user name.</dd>
      </dl>
    </>
  )
}

type CopiedProps = { label: string; copyName: string; text: string }

export function Copied({ label, copyName, text }: CopiedProps) {
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
            <Button
              aria-label={copyName}
              onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true), console.error)}
            >
              Copy
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}
