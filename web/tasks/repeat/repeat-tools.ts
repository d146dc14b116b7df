// One chunk, which the first task that repeats loads.
export { comingOf } from './coming-repeats.ts'
export { ComingTasks } from './coming-tasks.tsx'
export { hasEarlier } from './has-earlier.ts'
export { ruleText } from './rule-text.ts'

import './repeat.css'
