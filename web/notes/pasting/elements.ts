import { bold, italic, struck } from './blocks.ts'

/** Replaces `style` in pasted HTML, because the page's policy forbids that. */
export const styleAttribute = 'data-style'

export const isElement = (node: Node): node is Element => node.nodeType === 1

export const tagNameOf = (node: Node): string => node.nodeName.toLowerCase()

export function styleOf(element: Element, property: string): string {
  const style = element.getAttribute(styleAttribute) ?? element.getAttribute('style') ?? ''
  const declaration = style
    .split(';')
    .map((text) => text.split(/:(.*)/s).map((part) => part.trim().toLowerCase()))
    .findLast(([name]) => name === property)
  return declaration?.[1]?.replace(/!important$/, '').trimEnd() ?? ''
}

const formatElements: Record<string, number> = {
  ...{ b: bold, strong: bold, i: italic, em: italic, s: struck, del: struck, strike: struck },
}

export function formatsIn(element: Element, outside: number): number {
  let formats = outside | (formatElements[tagNameOf(element)] ?? 0)
  const set = (format: number, isSet: boolean) => {
    formats = isSet ? formats | format : formats & ~format
  }
  const weight = styleOf(element, 'font-weight')
  if (/^(?:bold|bolder|normal|lighter|\d+)$/.test(weight))
    set(bold, weight.startsWith('bold') || Number(weight) >= 600)
  const slant = styleOf(element, 'font-style')
  if (/^(?:italic|oblique|normal)/.test(slant)) set(italic, !slant.startsWith('normal'))
  const lines = `${styleOf(element, 'text-decoration')} ${styleOf(element, 'text-decoration-line')}`
  if (lines.includes('line-through')) set(struck, true)
  return formats
}

const withoutText = new Set([
  ...'style script title desc metadata defs template noscript annotation datalist'.split(' '),
  ...'audio video canvas iframe object'.split(' '),
])

export const isShown = (element: Element): boolean =>
  !withoutText.has(tagNameOf(element)) &&
  !element.hasAttribute('hidden') &&
  styleOf(element, 'display') !== 'none' &&
  styleOf(element, 'mso-hide') !== 'all' &&
  // The mark of a list in Word.
  styleOf(element, 'mso-list') !== 'ignore'

/** Undefined unless the element is a checkbox. List items can be checkboxes. */
export function checkedIn(element: Element): boolean | undefined {
  const role = element.getAttribute('role')
  const [, kind] = /(?:^|\s)checkbox-(on|off)(?:\s|$)/.exec(element.getAttribute('class') ?? '') ?? []
  if (kind) return kind === 'on'
  const state =
    element.getAttribute('aria-checked') ??
    element.getAttribute('data-checked') ??
    /^(?:un)?checked$/.exec(element.getAttribute('data-list') ?? '')?.[0]
  const isInput = tagNameOf(element) === 'input' && element.getAttribute('type')?.toLowerCase() === 'checkbox'
  if (isInput) return element.hasAttribute('checked')
  if (role !== 'checkbox' && (tagNameOf(element) !== 'li' || state === undefined)) return
  return state === 'true' || state === 'checked'
}

const lines = new Set([
  ...'address article aside body caption center dd details dialog div dt fieldset'.split(' '),
  ...'figcaption footer form header hgroup html legend li main nav optgroup option'.split(' '),
  ...'search section summary table tbody td tfoot th thead tr'.split(' '),
])

const paragraphs = new Set(['p', 'dl', 'figure'])

export function flowOf(element: Element): 'paragraph' | 'line' | 'inline' {
  if (paragraphs.has(tagNameOf(element))) return 'paragraph'
  const isLine =
    lines.has(tagNameOf(element)) || /^(?:block|flex|grid|table|list-item)/.test(styleOf(element, 'display'))
  return isLine ? 'line' : 'inline'
}

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

export function listLevelOf(element: Element): number {
  const [, word] = /\blevel(\d)/.exec(styleOf(element, 'mso-list')) ?? []
  return Number(word ?? element.getAttribute('data-aria-level') ?? 0)
}

/** The mark that Word writes before an item or a numbered heading: `·`, `a)`, `1.1`. */
export function listMarkOf(element: Element): string {
  const mark = [...element.querySelectorAll('span')].find((span) => styleOf(span, 'mso-list') === 'ignore')
  return mark?.textContent?.trim() ?? ''
}

const order = /^\(?(\w+)[.)]$/

/** The number in a mark of Word; undefined for a bullet. */
export function orderOf(mark: string, list: { isOrdered: boolean } | undefined): number | undefined {
  if (list) return list.isOrdered ? 1 : undefined
  const [, number] = order.exec(mark) ?? []
  return number === undefined ? undefined : Number.parseInt(number, 10) || 1
}

/** Whether a mark of Word is more than Markdown can express: `1.1`, `§ 1`. */
export const isText = (mark: string) => /\d/.test(mark) && !order.test(mark)
