import type { Range } from '#contract/ranges.ts'

/** The range of the text that is selected in its reading view. Undefined if the words there are not in the text as they are, or not once. */
export function selectedRange(text: string): Range | undefined {
  const selection = getSelection()
  const anchor = placeOf(selection?.anchorNode, selection?.anchorOffset, text)
  const focus = placeOf(selection?.focusNode, selection?.focusOffset, text)
  if (anchor === undefined || focus === undefined) return
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) }
}

function placeOf(node: Node | null | undefined, offset = 0, text: string): number | undefined {
  if (!(node instanceof Text)) return
  const place = text.indexOf(node.data)
  return place < 0 || text.includes(node.data, place + 1) ? undefined : place + offset
}
