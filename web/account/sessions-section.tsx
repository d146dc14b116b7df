import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Account } from '#contract/account.ts'
import { problemFrom } from '../api/client.ts'
import { call } from '../api/page-client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { Access, unlessEnded, useDays } from './access.tsx'

type Session = Account['sessions'][number]

/** Who is signed in, and where; ends one session or all others. */
export function SessionsSection() {
  const [account, setAccount] = useState<Account>()
  const [failure, setFailure] = useState('')
  const [outcome, setOutcome] = useState('')
  const title = useRef<HTMLHeadingElement>(null)
  const dayOf = useDays()

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
      if (session)
        await call('DELETE /account/sessions/:id', { params: { id: session.id } }).catch(
          unlessEnded('no-such-session'),
        )
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
        {sessions.map((session) => {
          const [name, since] = [nameOf(session), dayOf(session.createdAt)]
          return (
            <Access
              key={session.id}
              name={name}
              isHere={session.current}
              action="Log out"
              label={`Log out ${name}, since ${since}`}
              onEnd={session.current ? undefined : () => end(session)}
            >
              Since {since}, last used {dayOf(session.lastUsedAt)}
            </Access>
          )
        })}
      </ul>
      {failure && <Notice>{failure}</Notice>}
      {failure && !account && <Button onClick={load}>Try again</Button>}
      <p role="status">{outcome}</p>
      {others.length > 1 && <Button onClick={() => end()}>Log out all others</Button>}
    </section>
  )
}

const nameOf = ({ name }: Session) => name || 'Unknown browser'
