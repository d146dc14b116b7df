import { useRef, useState } from 'react'
import { tokenNameLength } from '#contract/limits.ts'
import type { Token } from '#contract/tokens.ts'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { call } from '../api/page-client.ts'
import { ChoiceField, Field } from '../ui/field.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Access, unlessEnded, useAccesses, useDays } from './access.tsx'
import { NewToken } from './new-token.tsx'

const scopeNames: Record<Token['scope'], string> = {
  add: 'Adds tasks only',
  read: 'Reads',
  write: 'Reads and changes',
  feed: 'Calendar of tasks',
}

const lives = [
  ['', 'When I revoke it'],
  ['30', 'In 30 days'],
  ['365', 'In a year'],
] as const

export function TokensSection() {
  const [tokens, setTokens] = useState<Token[]>()
  const [made, setMade] = useState<Pick<Token, 'scope'> & { token: string }>()
  const [refusal, setRefusal] = useState<ProblemError>()
  const form = useRef<HTMLFormElement>(null)
  const dayOf = useDays()
  const { load, end, begin, fail, isBusy, title, failure, outcome } = useAccesses(
    async () => setTokens((await call('GET /tokens')).data.tokens),
    'The tokens could not be loaded.',
    'Not revoked.',
  )

  async function make({ name, scope, days }: Record<'name' | 'scope' | 'days', string>) {
    begin()
    setRefusal(undefined)
    const expiresAt = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null
    const values = { name, scope: scope as Token['scope'], expiresAt }
    try {
      const { token } = (await call('POST /tokens', { body: values })).data
      setMade({ token, scope: values.scope })
      form.current?.reset()
      await load()
    } catch (error) {
      const refused = problemFrom(error)
      setRefusal(refused)
      if (refused?.reasonFor('name')) console.error(error)
      else fail('No token was made.', error)
    }
  }

  const revoke = ({ id, name }: Token) =>
    end(async () => {
      setRefusal(undefined)
      await call('DELETE /tokens/:id', { params: { id } }).catch(unlessEnded('no-such-token'))
      setMade(undefined)
    }, `${name} is revoked.`)

  return (
    <section className="sessions" aria-labelledby="tokens-title" aria-busy={isBusy}>
      <h3 id="tokens-title" ref={title} tabIndex={-1}>
        Tokens for other programs
      </h3>
      <p className="account-lead soft">
        With a token, a script or another program uses your account, or a calendar shows your tasks. Changing
        your password leaves tokens valid.
      </p>
      {tokens && tokens.length > 0 && (
        <ul className="stack loose">
          {tokens.map((token) => {
            const { id, name, scope, createdAt, lastUsedAt, expiresAt } = token
            return (
              <Access
                key={id}
                name={name}
                action="Revoke"
                label={`Revoke ${name}, since ${dayOf(createdAt)}`}
                onEnd={() => revoke(token)}
              >
                {scopeNames[scope]}. Since {dayOf(createdAt)},{' '}
                {lastUsedAt ? `last used ${dayOf(lastUsedAt)}` : 'never used'}
                {expiresAt && `, ends ${dayOf(expiresAt)}`}
              </Access>
            )
          })}
        </ul>
      )}
      {made && <NewToken key={made.token} {...made} />}
      <Form ref={form} className="token-form" onSubmit={make}>
        <Field
          label="Name"
          error={refusal?.reasonFor('name')}
          help="The history says it with each change that the token makes."
        >
          {(control) => (
            <input {...control} name="name" maxLength={tokenNameLength.max} autoComplete="off" required />
          )}
        </Field>
        <div className="field-pair">
          <ChoiceField label="What it does" name="scope" choices={Object.entries(scopeNames)} />
          <ChoiceField label="Ends" name="days" choices={lives} />
        </div>
        <SubmitButton className="button">Make a token</SubmitButton>
      </Form>
      {failure && <Notice>{failure}</Notice>}
      <p role="status" className="soft">
        {outcome}
      </p>
    </section>
  )
}
