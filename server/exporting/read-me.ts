import { exportedLines } from '#contract/imports.ts'
import { apiBase } from '#contract/limits.ts'
import type { Schema } from '#contract/matches-schema.ts'

type Properties<Kind extends keyof typeof exportedLines> =
  (typeof exportedLines)[Kind]['schema']['properties']

/** What a value is, where its schema does not say enough. */
const words: { [Name in keyof (Properties<'task'> & Properties<'note'>)]?: string } = {
  _id: 'the id, a UUID',
  title: 'a text in one line',
  dueDate: 'a day, `YYYY-MM-DD`, or null: someday',
  dueTime: 'a time of that day, `HH:MM`, in whatever time zone the reader is, or null',
  repeat: 'when it is due again: a rule of RFC 5545 (`FREQ=WEEKLY;BYDAY=FR`), or null',
  repeatFrom: 'whether that is counted from the day when it was `due` or `done`',
  repeatDay: 'the day of the rule that this task stands for, or null',
  reminders:
    'before its time (`10m`), days before at a time (`1d19:00`), or at a day and time (`2026-11-27T08:00`), separated by spaces; or null: those of the settings',
  series: 'the id of the first task of the repeat, or null',
  placeInFile:
    'for a task from another program, its place in the file that was imported, from 1; otherwise 0. Tasks of one day, time and priority are in this order',
  doneAt: 'an instant in UTC, or null: not done',
  deletedAt: 'an instant in UTC, or null: not deleted',
  text: 'Markdown as it was typed. Its first line is the title',
  changedAt: 'when the text was saved: an instant in UTC',
}

const formats: Record<string, string> = {
  text: 'a text',
  uuid: 'a UUID',
  day: 'a day, `YYYY-MM-DD`',
  time: 'a time, `HH:MM`',
  'date-time': 'an instant in UTC',
}

function wordsOf({ format = '', enum: options, type = '' }: Schema): string {
  const choices = options?.map((option) => `\`${option}\``) ?? ['true', 'false']
  const chosen = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  return `${formats[format] ?? chosen}${type.includes('null') ? ', or null' : ''}`
}

const tableOf = (properties: Record<string, Schema>) =>
  [
    '| field | value |',
    '| --- | --- |',
    ...Object.entries(properties).map(
      ([name, schema]) => `| \`${name}\` | ${words[name as keyof typeof words] ?? wordsOf(schema)} |`,
    ),
  ].join('\n')

export const readMe = `# Your data in Daymark

This file has all tasks and notes of one account as they were at one moment. No password or other credential is in it.

| file | what it has |
| --- | --- |
| \`tasks.jsonl\` | the tasks that are not deleted, open and done |
| \`notes.jsonl\` | the notes that are not deleted, each with its whole text |
| \`notes/\` | the text of each of these notes again, as a Markdown file that is named after its title |
| \`versions.jsonl\` | earlier texts of notes, the oldest first |
| \`deleted.jsonl\` | the tasks and notes that were deleted and could still be restored |
| \`settings.jsonl\` | the settings, in one line |
| \`history.jsonl\` | what was changed in the last 30 days, the oldest change first |
| \`manifest.json\` | the number of lines of these files, and the size and SHA-256 of each file |

A file that ends in \`.jsonl\` has one JSON object in each line (JSON Lines), in UTF-8.

## Tasks

${tableOf(exportedLines.task.schema.properties)}

## Notes

${tableOf(exportedLines.note.schema.properties)}

In \`versions.jsonl\`, \`note\` is the id of a note, \`text\` what it was, \`at\` when that was saved, and \`by\` the browser that saved it. In
\`deleted.jsonl\`, \`kind\` is \`task\` or \`note\`, and \`item\` has the fields above.

## History

| field | value |
| --- | --- |
| \`seq\` | the number of the change |
| \`at\`, \`by\` | when it was made, and in which browser |
| \`change\` | \`added\`, \`edited\`, or \`removed\` for good |
| \`kind\`, \`item\` | \`task\` or \`note\`, and its id |
| \`fields\`, \`before\` | the fields that were edited, and their values before. The earlier text of a note is in \`versions.jsonl\` |
| \`group\`, \`undoes\` | the id of the changes that were made together, and the number of the change that this one undid |

## Manifest

\`readBy\` is the first version of Daymark that imports this file; each later one does, too.

\`cursor\` names the moment: a program that has read this file asks \`GET ${apiBase}/changes?since=CURSOR\` for what was changed since.
`
