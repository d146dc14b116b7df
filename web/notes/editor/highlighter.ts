import { tagHighlighter, tags } from '@lezer/highlight'

/** The classes that `editor.css` styles. */
export const highlighter = tagHighlighter([
  { tag: [tags.heading1, tags.heading2], class: 'note-heading' },
  { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], class: 'note-subheading' },
  { tag: tags.emphasis, class: 'note-emphasis' },
  { tag: tags.strong, class: 'note-strong' },
  { tag: tags.strikethrough, class: 'note-gone' },
  { tag: tags.monospace, class: 'note-code' },
  { tag: tags.quote, class: 'note-quote' },
  { tag: [tags.link, tags.url], class: 'note-link' },
  { tag: tags.tagName, class: 'note-tag' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], class: 'note-mark' },
])
