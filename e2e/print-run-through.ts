import { chromium } from '@playwright/test'
import { filesOf } from './coverage.ts'
import { measure } from './run-through.ts'

// Prints the files that an added line, an edit, a key in a note and an idle second run through: `node e2e/print-run-through.ts`,
// with the functions that ran: `node e2e/print-run-through.ts --functions`.

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const measured = await measure(browser)
await browser.close()
for (const [action, ran] of Object.entries(measured)) {
  for (const part of ['web', 'contract', 'server'] as const) {
    const files = filesOf(ran, part)
    if (files.length === 0) continue
    console.log(`\n${action}: ${files.length} files of ${part}/`)
    for (const file of files)
      console.log(
        process.argv.includes('--functions') ? `${file}: ${[...(ran.get(file) ?? [])].join(', ')}` : file,
      )
  }
}
