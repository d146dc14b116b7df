/** How a verb is offered. */
export type Offered = {
  /** The key that does it. In the dialog of another verb, it follows the key of that one. */
  key?: string
  /** What its button says. With what is changed, that follows the label, or the text is another. */
  label: string
  labelOf?: string
  /** What the palette says, if that is not the label with what is changed. */
  command?: string
  icon?: 'delete' | 'done' | 'edit' | 'plus' | 'priority' | 'tag' | 'upcoming'
}

const [doneKey, moveKey] = ['x', 'm'] as const

/** The keys, labels and icons of the verbs. The landing page shows cards with them, and nothing else of the verbs. */
export const offered = {
  add: { key: 'n', label: 'Add a task', icon: 'plus' },
  edit: { key: 'e', label: 'Edit', icon: 'edit' },
  complete: { key: doneKey, label: 'Complete', icon: 'done' },
  reopen: { key: doneKey, label: 'Reopen', icon: 'done' },
  move: { key: moveKey, label: 'Move', icon: 'upcoming' },
  skip: { key: `${moveKey} k`, label: 'Skip this one', command: 'Skip {items} once' },
  stop: { key: `${moveKey} r`, label: 'Stop repeating' },
  prioritise: {
    ...{ key: 'p', label: 'Priority', icon: 'priority' },
    ...{ labelOf: 'Priority of {items}', command: 'Change the priority of {items}' },
  },
  tag: { key: 't', label: 'Tag', icon: 'tag' },
  delete: { key: 'Delete', label: 'Delete', icon: 'delete' },
  restore: { label: 'Restore' },
  pin: { label: 'Pin the note' },
} as const satisfies Record<string, Offered>

type Labels = { [Name in 'label' | 'labelOf']?: Offered[Name] | undefined }

/** The label with what is changed: the title of a task, or the number of several. */
export const labelFor = ({ label, labelOf = `${label} {items}` }: Labels, items: string): string =>
  labelOf.replace('{items}', () => items)
