import { useState } from 'react'
import type { Account } from '#contract/account.ts'
import { call } from '../api/page-client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Access, unlessEnded, useAccesses, useDays } from './access.tsx'

type Session = Account['sessions'][number]

export function SessionsSection() {
  const [account, setAccount] = useState<Account>()
  const dayOf = useDays()
  const { load, end, isBusy, title, failure, outcome } = useAccesses(
    async () => setAccount((await call('GET /account')).data.account),
    'The sessions could not be loaded.',
    'Not logged out.',
  )
  const endOne = (session: Session) =>
    end(
      () =>
        call('DELETE /account/sessions/:id', { params: { id: session.id } }).catch(
          unlessEnded('no-such-session'),
        ),
      `${nameOf(session)} is logged out.`,
    )
  const endOthers = () => end(() => call('DELETE /account/sessions'), 'All other sessions are logged out.')
  const others = account?.sessions.filter(({ current }) => !current) ?? []
  const sessions = [...(account?.sessions.filter(({ current }) => current) ?? []), ...others]

  return (
    <section className="sessions" aria-labelledby="sessions-title" aria-busy={isBusy}>
      <h3 id="sessions-title" ref={title} tabIndex={-1}>
        Where you are logged in
      </h3>
      {account && (
        <p className="account-lead soft">
          You are <bdi>{account.name}</bdi>, <bdi>{account.email}</bdi>.
        </p>
      )}
      <ul className="stack loose">
        {sessions.map((session) => {
          const [name, since] = [nameOf(session), dayOf(session.createdAt)]
          return (
            <Access
              key={session.id}
              name={name}
              isHere={session.current}
              action="Log out"
              label={`Log out ${name}, since ${since}`}
              onEnd={session.current ? undefined : () => endOne(session)}
            >
              Since {since}, last used {dayOf(session.lastUsedAt)}
            </Access>
          )
        })}
      </ul>
      {failure && <Notice>{failure}</Notice>}
      {failure && !account && <Button onClick={load}>Try again</Button>}
      <p role="status" className="soft">
        {outcome}
      </p>
      {others.length > 1 && <Button onClick={endOthers}>Log out all others</Button>}
    </section>
  )
}

const nameOf = ({ name }: Session) => name || 'Unknown browser'
