import { Buffer } from 'node:buffer'
import { EditorState } from '@codemirror/state'
import { hrefOf } from '#contract/addresses.ts'
import { isBlank } from '#contract/blank.ts'
import { withChecked } from '#contract/check-lines.ts'
import { excerptOf, excerptStart } from '#contract/excerpt.ts'
import { isDay } from '#contract/fields.ts'
import { findWords } from '#contract/find-words.ts'
import { findFolded, foldedPlaces } from '#contract/folded-places.ts'
import { fold, foldedTexts } from '#contract/folding.ts'
import { hashedId } from '#contract/hashed-id.ts'
import {
  bodyLength,
  emailLength,
  noteLength,
  passwordLength,
  repeatLimits,
  searchLength,
  summaryLength,
  titleLength,
} from '#contract/limits.ts'
import { destinationOf, linkTargetAt, unescaped } from '#contract/link-target.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { isDashboard } from '#contract/pages.ts'
import { parseReminders } from '#contract/reminder-times.ts'
import { parseRule } from '#contract/repeat-rules.ts'
import { withOpenBoxes } from '#contract/repeats.ts'
import { hasWords, wordsOf } from '#contract/search-rules.ts'
import { sectionsOf } from '#contract/sections.ts'
import { isMistypable, isSimilar, partsOf as searchedPartsOf } from '#contract/similar-words.ts'
import { foldedTagsIn, isTag, tagsIn } from '#contract/tags.ts'
import { codeEndsIn, partsOf } from '#contract/text-parts.ts'
import { dateWordsIn } from '#contract/words/date-words.ts'
import { readTaskText } from '#contract/words/task-text.ts'
import { decode } from '../../server/changes/delta-cursor.ts'
import { noteFileNames } from '../../server/exporting/note-file-names.ts'
import { type CalendarTask, calendarOf } from '../../server/feed/calendar.ts'
import { encodingIn } from '../../server/feed/compression.ts'
import { originForm } from '../../server/http/allowed-hosts.ts'
import { decodeCursor } from '../../server/http/cursor.ts'
import { headersOf } from '../../server/http/headers.ts'
import { logger } from '../../server/http/log.ts'
import { networkOf, siteOf } from '../../server/http/network.ts'
import { isTimeZone } from '../../server/http/time-zone.ts'
import { formats } from '../../server/http/validation.ts'
import type {} from '../../server/limits/event-streams.ts'
import { firstDifference } from '../../server/notes/note-history.ts'
import { pushAddress } from '../../server/reminders/push-services.ts'
import { bearerToken } from '../../server/sessions/authenticate.ts'
import { clientName } from '../../server/sessions/client-name.ts'
import { sessionKeyOf } from '../../server/sessions/token.ts'
import { normalizePassword } from '../../server/users/password.ts'
import { normalizeEmail } from '../../server/users/user-queries.ts'
import type { ImportedRow } from '../engine/imported.ts'
import { splitAtLinks } from '../engine/item-links.ts'
import { lineChanges } from '../engine/notes/line-changes.ts'
import { markOf, mergeLines, unmarked } from '../engine/notes/merge-lines.ts'
import { linkTo, taskLinkIn, taskOfLine, withoutTaskLink } from '../engine/notes/task-line.ts'
import { isSeveralLines } from '../engine/quick-lines.ts'
import { withRenamed } from '../engine/verbs/renamed-tags.ts'
import { componentsOf, listOf, unescaped as unescapedValue } from '../importing/parsing/calendars.ts'
import {
  clockIn,
  dayInTable,
  dayOrderOf,
  instantIn,
  numberedDay,
  wallClockIn,
} from '../importing/parsing/days.ts'
import { decodedText, positionIn } from '../importing/parsing/decoded-text.ts'
import { baseName } from '../importing/parsing/entries.ts'
import {
  cutTo,
  fittedTexts,
  isLonger,
  partOf,
  piecesOf,
  tagOf,
  withTags,
} from '../importing/parsing/fitted-text.ts'
import { markdownInHtml } from '../importing/parsing/html.ts'
import { delimiterOf, parseJson, recordsOf } from '../importing/parsing/json-and-tables.ts'
import { frontMatterOf, type Linked, withLinks } from '../importing/parsing/markup.ts'
import { minutesIn, reminderOf, storedRule } from '../importing/parsing/task-values.ts'
import { isBundleInfo } from '../importing/readers/markdown.ts'
import { read } from '../importing/readers/read-files.ts'
import { file, options } from '../importing/testing/import-files.ts'
import { lineMarks } from '../notes/editor/format.ts'
import { checkboxOf, withSpaceBehindMark } from '../notes/editor/list-keys.ts'
import { readLine } from '../notes/editor/list-lines.ts'
import { hasCheckbox } from '../notes/editor/markdown-editing.ts'
import { listFilters } from '../notes/editor/paste-items.ts'
import { shownText, storedText } from '../notes/line-endings.ts'
import { headingsOf, mayHaveOutline } from '../notes/markdown/headings.ts'
import { addressOf, isWebAddress } from '../notes/markdown/note-address.ts'
import { withTitleLinks } from '../notes/markdown/note-titles.ts'
import { plainText, shownTitle } from '../notes/markdown/plain-text.ts'
import { alignmentOf, cellsOf } from '../notes/markdown/table-cells.ts'
import { progressOf } from '../notes/note-progress.tsx'
import { inlineMarkdown } from '../notes/pasting/inline-markdown.ts'
import { markdownOfNodes, parsePasted } from '../notes/pasting/markdown-of-html.ts'
import { parsedDocument } from '../notes/pasting/parsed-document.ts'
import { holdsWords } from '../notes/pasting/read-back.ts'
import { splitAtCheckLines } from '../tasks/card/check-lines.ts'
import { continuedList } from '../tasks/form/continued-list.ts'
import { typedTagAt } from '../tasks/form/known-tags.ts'
import { isTableOrNested, pastedLines } from '../tasks/quick-add/pasted-text.ts'
import { typedDay } from '../tasks/words/typed-day.ts'

/** A function that reads a text, which may reject it. */
export type TextReader = (text: string) => unknown

const now = { today: '2026-11-28', time: '08:00' }
const findDates = dateWordsIn(['en', 'de', 'fr'])
const zone = 'Europe/Berlin'
const owner = { owner: '01a1fbec-df28-741d-85d9-08c2d1fcac18', list: 'open' }
const task: Omit<CalendarTask, 'title'> = {
  ...{
    id: owner.owner,
    dueDate: '2026-11-28',
    dueTime: null,
    repeat: null,
    repeatDay: null,
    repeatFrom: 'due',
  },
  ...{ priority: 'medium', version: 1, isDone: false, at: 0 },
}
const row: ImportedRow = { place: { file: 'a' }, text: '', becomes: 'nothing', item: null, remarks: [] }
const request = (headers: object) => ({ headers }) as Parameters<typeof bearerToken>[0]
const words = ['swim', 'é']

/** The longest headers and path of a request that the server reads. */
const headerLength = 16_384
const linked: Linked = { kind: 'note', id: owner.owner, key: 'a', title: 'A', path: 'a.md', aliases: [] }
const follow = withLinks([linked], [])
const serialized = logger({ logLevel: 'info' } as Parameters<typeof logger>[0]).logger.serializers
const markdown = (html: string) => markdownOfNodes(parsedDocument(html), { plain: '' })
const paste = (doc: string, insert: string) =>
  EditorState.create({ doc, extensions: listFilters }).update({
    changes: { from: doc.length, insert },
    userEvent: 'input.paste',
  }).state
const asRead = (text: string) => read([file('a.txt', text)], options)

/** The readers of texts that have the same longest length, in UTF-16 units. */
export const textReaders: { length: number; readers: { [name: string]: TextReader } }[] = [
  {
    // Bodies of tasks, notes, and texts that are pasted or imported.
    length: Math.max(bodyLength.max, noteLength.max),
    readers: {
      isBlank,
      codeEndsIn: (text) => codeEndsIn(text)(0, 1),
      linkTargetAt: (text) => linkTargetAt(`(${text}`, 0),
      destinationOf,
      unescaped,
      hrefOf,
      sectionsOf,
      partsOf: (text) => [...partsOf(text)],
      tagsIn,
      foldedTagsIn: (text) => foldedTagsIn([text]),
      fold,
      foldedPlaces,
      findFolded: (text) => findFolded(text, 'swim'),
      findWords: (text) => findWords(text, words),
      excerptStart: (text) => excerptStart(text, words, 60),
      excerptOf: (text) => excerptOf(text, words),
      summaryOf,
      withOpenBoxes,
      foldedTexts: (text) => foldedTexts(['Swim', text]),
      hasWords: (text) => hasWords(text, words),
      'isSimilar in a text': (text) => isSimilar('swimming', text),
      hashedId,
      'format text': (text) => formats.text?.matches(text),
      firstDifference: (text) => firstDifference(text, `${text} `),
      'withRenamed to a name': (text) => withRenamed(text, '#swim', '#dive'),
      'withRenamed to none': (text) => withRenamed(text, '#swim', undefined),
      splitAtCheckLines,
      splitAtLinks,
      withChecked: (text) => withChecked(text, { line: 0, text: 'x' }, true),
      continuedList: (text) => continuedList(text, text.length),
      typedTagAt: (text) => typedTagAt(text, text.length),
      pastedLines,
      isTableOrNested,
      isSeveralLines,
      plainText,
      shownTitle,
      shownText,
      storedText: (text) => storedText(text, `${text}a`),
      headingsOf,
      mayHaveOutline,
      cellsOf,
      alignmentOf,
      addressOf,
      isWebAddress,
      checkboxOf,
      withSpaceBehindMark: (text) => withSpaceBehindMark(text, '\u00a0'),
      readLine,
      hasCheckbox,
      lineMarks: (text) => lineMarks([text], 'heading'),
      lineChanges: (text) => lineChanges(text.split('\n'), `${text}a`.split('\n')),
      mergeLines: (text) => mergeLines(text, `a${text}`, `${text}a`),
      'paste into a list': (text) => paste('- [ ] a', text),
      'paste into numbers': (text) => paste('1. a', text),
      taskOfLine,
      taskLinkIn,
      withoutTaskLink,
      linkTo: (text) => linkTo(text, 'note:a'),
      withTitleLinks: (text) => withTitleLinks(`[[a]] ${text}`, () => 'a'),
      progressOf: (text) => progressOf(text, () => true),
      markOf,
      unmarked,
      holdsWords: (text) => holdsWords('swim', text),
      minutesIn,
      reminderOf: (text) => reminderOf(text, true),
      componentsOf: (text) => componentsOf(text, 'a.ics'),
      unescapedValue,
      listOf,
      dayInTable: (text) => dayInTable(text, { ...options, zone }, true),
      instantIn: (text) => instantIn(text, zone),
      isDay,
      wallClockIn: (text) => wallClockIn(text, zone),
      dayOrderOf,
      numberedDay: (text) => numberedDay(text, true),
      clockIn,
      decodedText: (text) => decodedText(Buffer.from(text), 'a.txt'),
      'decodedText with an odd letter': (text) =>
        decodedText(Buffer.concat([Buffer.from(`BEGIN:${text}ü\r\n `), Buffer.of(0xe9)]), 'a.ics'),
      positionIn: (text) => positionIn(text, text.length),
      isLonger: (text) => isLonger(text, 500),
      piecesOf: (text) => piecesOf(text, 500),
      cutTo: (text) => cutTo(text, 500),
      frontMatterOf: (text) => frontMatterOf(`---\n${text}`, () => true),
      parseJson: (text) => parseJson(text, 'a.json'),
      'withLinks, the links': (text) => follow(text, 'a.md'),
      markdownInHtml,
      'markdownInHtml with a tag': (text) => markdownInHtml(`<p>${text}`),
      delimiterOf: (text) => delimiterOf(text, 'a.csv'),
      recordsOf: (text) => recordsOf(text, 'a.csv', ','),
      storedRule: (text) => storedRule(text, { day: '2026-11-28', time: null }, zone),
      tagOf,
      withTags: (text) => withTags(text, ['#a']),
      fittedTexts: (text) => fittedTexts({ row, title: 'a', body: text }),
      partOf: (text) => partOf({ row, title: text }, 1),
      isBundleInfo,
      baseName,
    },
  },
  {
    // Whole files, which a worker reads, and pasted HTML, most of which is marks.
    length: 20_000,
    readers: {
      read: asRead,
      'read of a calendar': (text) => read([file('a.ics', `BEGIN:VCALENDAR\r\n${text}`)], options),
      'read of a table': (text) => read([file('a.csv', `title,notes\n"a",${text}`)], options),
      'read of a note': (text) => read([file('a.md', `---\ntags: a\n${text}`)], options),
      'read of an Evernote export': (text) =>
        read([file('a.enex', `<en-export><note><title>a</title><content>${text}</content></note>`)], options),
      'read of todo.txt': (text) => read([file('todo.txt', `(A) a ${text}`)], options),
      'read of a Joplin note': (text) => read([file(`${'a'.repeat(32)}.md`, `${text}\n\ntype_: 1`)], options),
      'read of a Notion page': (text) => read([file(`A ${'a'.repeat(32)}.md`, text)], options),
      'read of JSON': (text) => read([file('a.json', `{"a":"${text}`)], options),
      parsePasted: (text) => parsePasted(`<a b="${text}`),
      'markdownOfNodes of words': (text) => markdown(`<p><b>a</b>${text}</p>`),
      'markdownOfNodes of styles': (text) => markdown(`<p style="color:a${text}"><b>a</b></p>`),
      'markdownOfNodes of code': (text) => markdown(`<pre class="language-a ${text}">${text}</pre>`),
      'markdownOfNodes of a list': (text) => markdown(`<ul><li>a<li>${text}</ul>`),
    },
  },
  {
    // Headers, paths and parameters of a request.
    length: headerLength,
    readers: {
      clientName,
      encodingIn,
      bearerToken: (text) => bearerToken(request({ authorization: `Bearer ${text}` })),
      originForm: (text) => originForm({ url: text } as Parameters<typeof originForm>[0]),
      networkOf,
      siteOf,
      headersOf,
      isDashboard,
      'path in the log': (url) => serialized.req({ id: 'a', method: 'GET', url, ip: '::1' }),
      'decode of a cursor of changes': decode,
      decodeCursor: (text) => decodeCursor(owner, ['id'], text),
      sessionKeyOf,
      isTimeZone,
      pushAddress: (text) => pushAddress(text, []),
    },
  },
  {
    length: titleLength.max * 2,
    readers: {
      isTag,
      noteFileNames: (text) => noteFileNames()(text),
      calendarOf: (title) => calendarOf([{ ...task, title }], { name: title, description: title }),
      inlineMarkdown: (text) =>
        inlineMarkdown(Array.from(text, (unit) => ({ unit, formats: 0, isEscaped: false }))),
    },
  },
  {
    // A typed line.
    length: 990,
    readers: {
      readTaskText: (text) => readTaskText(text, { now, findDates }),
      findDates: (text) => findDates(text, now),
      typedDay: (text) => typedDay(text, { now, due: '2026-12-01', findDates }),
    },
  },
  { length: repeatLimits.length, readers: { parseRule, parseReminders } },
  { length: summaryLength * 2, readers: { 'plainText of a snippet': plainText } },
  {
    length: emailLength.max,
    readers: { 'format email': (text) => formats.email?.matches(text), normalizeEmail },
  },
  { length: passwordLength.max * 2, readers: { normalizePassword } },
  { length: searchLength.max * 2, readers: { wordsOf, isMistypable, searchedPartsOf } },
]
