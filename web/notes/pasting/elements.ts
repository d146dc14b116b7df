import { bold, italic, struck } from './blocks.ts'

/** The attribute that holds the styles of an element in pasted HTML. The page's policy forbids `style`. */
export const styleAttribute = 'data-style'

export const isElement = (node: Node): node is Element => node.nodeType === 1

export const tagNameOf = (node: Node): string => node.nodeName.toLowerCase()

/** The last value of a property in the style attribute of an element. */
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

/** The formats of the text in an element, by its name and its styles. */
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

/** Elements whose content is not shown on the page from which they come. */
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

/** Whether a checkbox is ticked; undefined for other elements. Items of lists can be checkboxes themselves. */
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

/** Elements that begin and end a line. */
const lines = new Set([
  ...'address article aside body caption center dd details dialog div dt fieldset'.split(' '),
  ...'figcaption footer form header hgroup html legend li main nav optgroup option'.split(' '),
  ...'search section summary table tbody td tfoot th thead tr'.split(' '),
])

const paragraphs = new Set(['p', 'dl', 'figure'])

/** Whether an element is a paragraph, a line or a part of a line. */
export function flowOf(element: Element): 'paragraph' | 'line' | 'inline' {
  if (paragraphs.has(tagNameOf(element))) return 'paragraph'
  const isLine =
    lines.has(tagNameOf(element)) || /^(?:block|flex|grid|table|list-item)/.test(styleOf(element, 'display'))
  return isLine ? 'line' : 'inline'
}
