import { isElement, tagNameOf } from './elements.ts'

/** Larger spans are a mistake or hostile. */
const maxSpan = 100
/** With merged cells, a short text can describe millions of cells. */
const maxCells = 20_000

/** The cells by rows and columns; undefined where a cell spans several. Undefined for a table that only arranges other content. */
export function cellsIn(table: Element): (Element | undefined)[][] | undefined {
  if (table.getAttribute('role') === 'presentation' || table.querySelector('table')) return
  const rows: (Element | undefined)[][] = []
  /** For each column, the number of following rows that a cell above spans. */
  const taken: number[] = []
  for (const row of rowsIn(table)) {
    const cells: (Element | undefined)[] = []
    const skip = () => {
      while ((taken[cells.length] ?? 0) > 0) {
        taken[cells.length] = (taken[cells.length] as number) - 1
        cells.push(undefined)
      }
    }
    for (const cell of [...row.childNodes].filter(isCell)) {
      skip()
      const [columns, height] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')]
      for (let column = 0; column < columns; column++) {
        taken[cells.length] = height - 1
        cells.push(column === 0 ? cell : undefined)
      }
    }
    skip()
    rows.push(cells)
  }
  const width = rows.reduce((widest, { length }) => Math.max(widest, length), 0)
  if (width < 2 || width > maxSpan || rows.length * width > maxCells) return
  return rows.map((cells) => [...cells, ...Array<undefined>(width - cells.length).fill(undefined)])
}

const isCell = (node: Node): node is Element => isElement(node) && ['td', 'th'].includes(tagNameOf(node))

function rowsIn(parent: Node): Node[] {
  return [...parent.childNodes].flatMap((child) => {
    if (tagNameOf(child) === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(tagNameOf(child)) ? rowsIn(child) : []
  })
}

function spanOf(cell: Element, attribute: string): number {
  const span = Number.parseInt(cell.getAttribute(attribute) ?? '', 10)
  return span > 1 ? Math.min(span, maxSpan) : 1
}
