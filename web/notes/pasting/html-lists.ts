import { isElement, styleOf, tagNameOf } from './elements.ts'
import type { PastedPlace } from './place.ts'

export function numberOf(attribute: string | null): number {
  const number = Number.parseInt(attribute ?? '', 10)
  return number >= 0 && number < 1e9 ? number : 1
}

export function beginsWithList(item: Element): boolean {
  const first = [...item.childNodes].find(
    (node) => isElement(node) || (node.nodeType === 3 && node.nodeValue?.trim()),
  )
  return first !== undefined && ['ul', 'ol'].includes(tagNameOf(first))
}

/** The level of an item in Word and in its web version. */
export function listLevelOf(element: Element): number {
  const [, word] = /\blevel(\d)/.exec(styleOf(element, 'mso-list')) ?? []
  return Number(word ?? element.getAttribute('data-aria-level') ?? 0)
}

/** What Word writes before an item or a numbered heading: `·`, `a)`, `1.1`. */
export function listMarkOf(element: Element): string {
  const mark = [...element.querySelectorAll('span')].find((span) => styleOf(span, 'mso-list') === 'ignore')
  return mark?.textContent?.trim() ?? ''
}

const order = /^\(?(\w+)[.)]$/

/** The number of an item by its mark in Word; undefined for a bullet. */
export function orderOf(mark: string, { list }: PastedPlace): number | undefined {
  if (list) return list.isOrdered ? 1 : undefined
  const [, number] = order.exec(mark) ?? []
  return number === undefined ? undefined : Number.parseInt(number, 10) || 1
}

/** Whether a mark of Word says more than the marks of Markdown can: `1.1`, `§ 1`. */
export const isText = (mark: string) => /\d/.test(mark) && !order.test(mark)
