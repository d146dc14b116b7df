import type { TestClient } from './test-client.ts'

/** The items of a response, without their kinds. */
export const itemsIn = <Item>({ items = [] }: { items?: readonly { item: Item }[] | undefined }): Item[] =>
  items.map(({ item }) => item)

/** Calls `POST /changes` with these changes, each under a new mutation id unless it has one. */
export const sendChanges = ({ send }: Pick<TestClient, 'send'>, ...changes: object[]) => send(...changes)
