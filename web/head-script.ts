import { applyTheme, keptInBrowser } from './settings/theme.ts'

// A separate script that blocks the first paint: a page must not flash in the other theme.
applyTheme(keptInBrowser().settings?.theme)

// A form that is submitted before the page can send it keeps its text, and is submitted again by credentials-form.tsx.
addEventListener(
  'submit',
  (event) => {
    const { dataset } = event.target as HTMLFormElement
    if (dataset.early === undefined) return
    event.preventDefault()
    dataset.early = 'submitted'
    event.submitter?.setAttribute('aria-busy', 'true')
  },
  // Before React, which stops events of a part that it has not hydrated.
  { capture: true },
)
