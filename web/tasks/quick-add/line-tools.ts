// The chunk that a line in use needs: one, because each chunk takes bytes of the first load.
export { LineHelp } from './line-help.tsx'
export { PastedLines } from './pasted-lines.tsx'
export { QuickChips } from './quick-chip.tsx'
