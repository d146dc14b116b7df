import { isElement, nameOf, styleOf } from './elements.ts'
import type { Place } from './place.ts'

export function numberOf(attribute: string | null): number {
  const number = Number.parseInt(attribute ?? '', 10)
  return number >= 0 && number < 1e9 ? number : 1
}

export function beginsWithList(item: Element): boolean {
  const first = [...item.childNodes].find(
    (node) => isElement(node) || (node.nodeType === 3 && node.nodeValue?.trim()),
  )
  return first !== undefined && ['ul', 'ol'].includes(nameOf(first))
}

/** The level of an item in Word and in its web version. */
export function levelOf(element: Element): number {
  const [, word] = /\blevel(\d)/.exec(styleOf(element, 'mso-list')) ?? []
  return Number(word ?? element.getAttribute('data-aria-level') ?? 0)
}

/** The number of an item by its mark in Word; undefined for a bullet. */
export function orderOf(element: Element, { list }: Place): number | undefined {
  if (list) return list.isOrdered ? 1 : undefined
  const mark = [...element.querySelectorAll('span')].find((span) => styleOf(span, 'mso-list') === 'ignore')
  const [, order] = /^\s*\(?(\w+)[.)]/.exec(mark?.textContent ?? '') ?? []
  return order === undefined ? undefined : Number.parseInt(order, 10) || 1
}
