import { applyTheme, keptInBrowser } from './settings/theme.ts'

// A separate script that blocks the first paint: a page must not flash in the other theme.
applyTheme(keptInBrowser().settings?.theme)
