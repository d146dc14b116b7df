import type { Call } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import type { TaskValues } from '#contract/tasks.ts'
import { day } from '../e2e/days.ts'
import type { Server } from '../e2e/server.ts'
import { register, type User } from '../e2e/user.ts'

const openTasks: TaskValues[] = [
  { title: 'Read the harbour bylaws', body: '', dueDate: day(12), priority: 'low' },
  {
    title: 'Plan Marta’s birthday',
    body: 'Almond cake, candles, the long table.\nAsk Rui for the speakers.',
    dueDate: day(9),
    priority: 'medium',
  },
  { title: 'Order firewood #home', body: '', dueDate: day(3), priority: 'low' },
  {
    title: 'Renew the passport',
    body: '- [x] two photos\n- [ ] the old passport\n- [ ] 65 euros\nThe office opens at nine: https://passport.example',
    dueDate: day(3),
    priority: 'high',
  },
  { title: 'Call the landlord about the keys', body: '', dueDate: day(1), priority: 'medium' },
  {
    title: 'Water the tomatoes #home',
    body: 'Not the basil, it had some yesterday.',
    dueDate: day(0),
    priority: 'low',
    repeat: 'FREQ=DAILY;INTERVAL=2',
  },
  { title: 'Book the ferry for Sunday', body: '', dueDate: day(0), priority: 'medium' },
  {
    title: 'Sign the lease',
    body: 'Page 4 needs initials.\nAsk when the keys are handed over.',
    dueDate: day(0),
    dueTime: '15:00',
    priority: 'high',
  },
  { title: 'Learn to row', body: '', dueDate: null, priority: 'low' },
  { title: 'Paint the shed #home', body: 'Ask Rui which colour is left.', dueDate: null, priority: 'medium' },
  { title: 'Answer Ines', body: '', dueDate: day(-1), priority: 'low' },
  {
    title: 'Return the library books',
    body: 'The one about lighthouses can be renewed once more.',
    dueDate: day(-2),
    priority: 'medium',
  },
]

const doneTasks = ['Pay the harbour dues', 'Fix the kitchen tap #home', 'Send the parcel to Ines']
const deletedTasks = ['Buy a second kettle', 'Compare ferry prices']

const notes = [
  'Recipe: almond cake\n\n200 g almonds, 200 g sugar, 4 eggs, the peel of a lemon. 40 minutes at 170 °C.',
  'Books to read\n\n- The Lighthouse Stevensons\n- The Summer Book',
]

const openNote = (taskId: string) => `# Moving house

The keys are handed over **at noon**, at the *new* flat. What is not packed by then stays until spring.

## Before the move

- [x] Ask Rui for the van
- [ ] Read the meters, and photograph them
- [Sign the lease](task:${taskId})

## Who takes what

| room    | who  | boxes |
| ------- | ---- | ----: |
| kitchen | Ines |    12 |
| books   | Rui  |    20 |

> The lift holds four people, or one piano.
`

/** A user with tasks and notes for the screenshots, and the id of the note that they show. */
export async function addSamples(server: Server): Promise<{ user: User; noteId: string }> {
  const user = await register(server.address)
  const added = []
  for (const task of openTasks) added.push(await user.add(task))
  for (const title of doneTasks) {
    const { _id: item } = await user.add({ title })
    await change(server, user, { item, set: { done: true } })
  }
  for (const title of deletedTasks) await user.remove(await user.add({ title }))
  for (const text of notes) await change(server, user, newNote(crypto.randomUUID(), text))
  const lease = added.find(({ title }) => title === 'Sign the lease')
  const noteId = crypto.randomUUID()
  await change(server, user, newNote(noteId, openNote(lease?._id ?? '')))
  await change(server, user, { item: noteId, kind: 'note', set: { pinned: true } })
  return { user, noteId }
}

type Change = Omit<Call<'POST /changes'>['body']['changes'][number], 'mutation'>

const newNote = (item: string, text: string): Change => ({ item, kind: 'note', base: 0, set: { text } })

async function change(server: Server, user: User, change: Change) {
  const response = await fetch(`${server.address}${apiBase}/changes`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes: [{ mutation: crypto.randomUUID(), ...change }] }),
  })
  if (!response.ok) throw new Error(`POST /changes: ${response.status} ${await response.text()}`)
}
