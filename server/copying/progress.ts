import type { OnProgress } from './copy-database.ts'

const width = 30
const previousLine = '\x1b[1A\x1b[2K'

/** Shows a progress bar on a terminal; otherwise prints a line for every 10 %. */
export function showProgress(stream: NodeJS.WriteStream): OnProgress {
  let shown = { step: '', level: -1 }
  return (step, done, total) => {
    const percent = Math.floor((done / total) * 100)
    const level = stream.isTTY ? percent : Math.floor(percent / 10)
    if (step === shown.step && level === shown.level) return
    const text = `${step.padEnd(8)} ${String(percent).padStart(3)} %`
    const bar = '█'.repeat(Math.round((done / total) * width)).padEnd(width, '░')
    const redraw = step === shown.step ? previousLine : ''
    stream.write(stream.isTTY ? `${redraw}${text} ${bar}\n` : `${text}\n`)
    shown = { step, level }
  }
}
