import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { call, problemFrom } from '../api/client.ts'
import { useLocale } from '../ui/locale.ts'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import './sessions-section.css'

type Session = Account['sessions'][number]

/** Who is signed in, and where; ends one session or all others. */
export function SessionsSection() {
  const [account, setAccount] = useState<Account>()
  const [failure, setFailure] = useState('')
  const [outcome, setOutcome] = useState('')
  const title = useRef<HTMLHeadingElement>(null)

  const [load, isLoading] = useOneAtATime(async () => {
    setFailure('')
    try {
      setAccount((await call('GET /account')).data.account)
    } catch (error) {
      console.error(error)
      setFailure(`The sessions could not be loaded. ${problemFrom(error)?.message ?? ''}`)
    }
  })
  const loadOnce = useEffectEvent(load)
  useEffect(() => void loadOnce(), [])

  const [end, isEnding] = useOneAtATime(async (session?: Session) => {
    setOutcome('')
    setFailure('')
    try {
      if (session) await endOne(session)
      else await call('DELETE /account/sessions')
      setOutcome(session ? `${nameOf(session)} is logged out.` : 'All other sessions are logged out.')
      // The button that was pressed is gone.
      title.current?.focus()
      await load()
    } catch (error) {
      console.error(error)
      setFailure(`Not logged out. ${problemFrom(error)?.message ?? ''}`)
    }
  })
  const others = account?.sessions.filter(({ current }) => !current) ?? []
  const sessions = [...(account?.sessions.filter(({ current }) => current) ?? []), ...others]

  return (
    <section className="sessions" aria-labelledby="sessions-title" aria-busy={isLoading || isEnding}>
      <h3 id="sessions-title" ref={title} tabIndex={-1}>
        Where you are logged in
      </h3>
      {account && (
        <p className="account-lead">
          You are <bdi>{account.name}</bdi>, <bdi>{account.email}</bdi>.
        </p>
      )}
      <ul>
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => end(session)} />
        ))}
      </ul>
      {failure && <Notice>{failure}</Notice>}
      {failure && !account && (
        <button type="button" className="button" onClick={load}>
          Try again
        </button>
      )}
      <p role="status">{outcome}</p>
      {others.length > 1 && (
        <button type="button" className="button" onClick={() => end()}>
          Log out all others
        </button>
      )}
    </section>
  )
}

function SessionItem({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const locale = useLocale()
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', numberingSystem: 'latn' })
  const name = nameOf(session)
  const [since, last] = [session.createdAt, session.lastUsedAt].map((at) => day.format(new Date(at)))
  return (
    <li>
      <div>
        <bdi className="session-name">{name}</bdi>
        {session.current && <span className="session-here">This browser</span>}
        <p className="session-times">
          Since {since}, last used {last}
        </p>
      </div>
      {!session.current && (
        <button
          type="button"
          className="button"
          aria-label={`Log out ${name}, since ${since}`}
          onClick={onEnd}
        >
          Log out
        </button>
      )}
    </li>
  )
}

/** A session that has ended meanwhile is no failure. */
const endOne = ({ id }: Session) =>
  call('DELETE /account/sessions/:id', { params: { id } }).catch((error) => {
    if (problemFrom(error)?.problem.code !== 'no-such-session') throw error
  })

const nameOf = ({ name }: Session) => name || 'Unknown browser'
