import { randomUUID } from 'node:crypto'
import type { TestUser } from './test-server.ts'

/** The items of a response, without their kinds. */
export const itemsIn = <Item>({ items = [] }: { items?: readonly { item: Item }[] | undefined }): Item[] =>
  items.map(({ item }) => item)

/** Calls `POST /changes` with these changes, each under a new mutation id unless it has one. */
export const sendChanges = (user: Pick<TestUser, 'call'>, ...changes: object[]) =>
  user.call('POST /changes', {
    body: { changes: changes.map((each) => ({ mutation: randomUUID(), ...each })) },
  })
