type Asked = {
  call: string
  /** Of the call among all, from 100 on. */
  number: number
  /** The body that was sent. */
  sent: string
  /** How the server has answered the call before. */
  first: () => Promise<string> | string
}

const note = {
  ...{ text: 'Ferry', version: 1, pinned: false, deletedAt: null },
  ...{ createdAt: '2026-01-01T08:00:00Z', changedAt: '2026-01-01T08:00:00Z' },
}

/** What servers, proxies and networks that have gone wrong answer to every call. */
export const wrongServers: Record<string, (asked: Asked) => Response | Promise<Response>> = {
  'answers 503': () => Response.json({}, { status: 503 }),
  'cuts the connection'() {
    throw new TypeError('Failed to fetch')
  },
  'answers without data': () => Response.json({}),
  async 'announces news and repeats its first answers'({ call, number, sent, first }) {
    const headers = { 'changes-cursor': `${number}.a`, 'content-type': 'application/json' }
    if (call === 'GET /changes/stream')
      return new Response(`data: ${number}.a\n\n`, { headers: { 'content-type': 'text/event-stream' } })
    if (call === 'GET /changes')
      return Response.json({ items: [], purged: [], cursor: '1.a', more: true }, { headers })
    // Each of them is a change of something that is shown.
    if (call !== 'POST /changes')
      return new Response((await first()).replace(/"version":\d+/g, `"version":${number}`), { headers })
    const items = (JSON.parse(sent).changes as { item: string; kind?: string }[]).map(
      ({ item, kind = 'task' }) => ({
        ...{ kind, outcome: 'conflict' },
        item: kind === 'note' ? { ...note, _id: item } : null,
      }),
    )
    return Response.json({ items, cursor: `${number}.a` }, { headers })
  },
}

/** In five minutes: two repeats of the same call, a text and a change, that wait for 1, 2, 4 … 60, 60 seconds. */
export const mostCalls = 30
