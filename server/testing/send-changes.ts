/** The items of a response, without their kinds. */
export const itemsIn = <Item>({ items = [] }: { items?: readonly { item: Item }[] | undefined }): Item[] =>
  items.map(({ item }) => item)
