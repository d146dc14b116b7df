import { apiBase } from '#contract/limits.ts'

/** The file that explains the others. */
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

| field | value |
| --- | --- |
| \`_id\` | the id, a UUID |
| \`title\`, \`body\` | texts |
| \`dueDate\` | a day, \`YYYY-MM-DD\`, or null: someday |
| \`dueTime\` | a time of that day, \`HH:MM\`, in whatever time zone the reader is, or null |
| \`priority\` | \`high\`, \`medium\` or \`low\` |
| \`repeat\` | when it is due again: a rule of RFC 5545 (\`FREQ=WEEKLY;BYDAY=FR\`), or null |
| \`repeatFrom\` | whether that is counted from the day when it was \`due\` or \`done\` |
| \`repeatDay\`, \`series\` | the day of the rule that this task stands for, and the id of the first task of the repeat, or null |
| \`createdAt\`, \`doneAt\`, \`deletedAt\` | instants in UTC; null if it is not done, not deleted |

## Notes

| field | value |
| --- | --- |
| \`_id\` | the id, a UUID |
| \`text\` | Markdown as it was typed. Its first line is the title |
| \`pinned\` | true or false |
| \`createdAt\`, \`changedAt\`, \`deletedAt\` | instants in UTC; \`changedAt\` is when the text was saved |

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

\`cursor\` names the moment: a program that has read this file asks \`GET ${apiBase}/changes?since=CURSOR\` for what was changed since.
`
