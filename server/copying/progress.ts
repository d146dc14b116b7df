import type { OnProgress } from './move-database.ts'

const width = 30
const previousLine = '\x1b[1A\x1b[2K'

/** A bar that grows in place on a terminal; elsewhere a line for each tenth of the way. */
export function showProgress(stream: NodeJS.WriteStream): OnProgress {
  let shown = { step: '', stage: -1 }
  return (step, done, total) => {
    const percent = Math.floor((done / total) * 100)
    const stage = stream.isTTY ? percent : Math.floor(percent / 10)
    if (step === shown.step && stage === shown.stage) return
    const text = `${step.padEnd(8)} ${String(percent).padStart(3)} %`
    const bar = '█'.repeat(Math.round((done / total) * width)).padEnd(width, '░')
    const redraw = step === shown.step ? previousLine : ''
    stream.write(stream.isTTY ? `${redraw}${text} ${bar}\n` : `${text}\n`)
    shown = { step, stage }
  }
}
