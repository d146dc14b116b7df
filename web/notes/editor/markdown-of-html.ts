import Turndown from 'turndown'

const turndown = new Turndown({
  ...{ headingStyle: 'atx', hr: '---', bulletListMarker: '-', codeBlockStyle: 'fenced', emDelimiter: '*' },
})
  // Images would be loaded from elsewhere.
  .remove(['img', 'style', 'script', 'title', 'button', 'noscript'])
  .addRule('struck', { filter: ['s', 'del'], replacement: (text) => `~~${text}~~` })
  // Google Docs has all of its text in such an element.
  .addRule('not bold', {
    filter: ({ nodeName, style }) => nodeName === 'B' && style.fontWeight === 'normal',
    replacement: (text) => text,
  })
  .addRule('item', {
    filter: 'li',
    replacement(text, node, { bulletListMarker }) {
      const { parentNode: list } = node
      const isOrdered = list instanceof HTMLOListElement
      const place = isOrdered ? list.start + [...list.children].indexOf(node as Element) : 0
      const mark = isOrdered ? `${place}. ` : `${bulletListMarker} `
      const indented = text.trim().replace(/\n+/g, `\n${' '.repeat(mark.length)}`)
      return `${mark}${indented}${node.nextSibling ? '\n' : ''}`
    },
  })

/** Formatted text as Markdown, without images. */
export const markdownOf = (body: HTMLElement): string => turndown.turndown(body)
